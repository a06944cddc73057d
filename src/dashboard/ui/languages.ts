// The languages that recipients are addressed in.
import { language } from '../texts'

export const spoken = 'bg cs cy de en es fr hi it ja nl pl pt sv zh-CN zh-HK zh-TW'.split(' ')

/** The languages, and the one that is set, which may be any. */
export function languagesOfMail(set: string): string[] {
  return spoken.includes(set) ? spoken : [set, ...spoken]
}

/** "German · Deutsch" */
export function languageName(code: string): string {
  const here = nameIn(language(), code)
  const own = nameIn(code, code)
  return here.toLowerCase() === own.toLowerCase() ? here : `${here} · ${own}`
}

function nameIn(reader: string, code: string): string {
  return new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code
}
