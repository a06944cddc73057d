// The catalogue of all words. `t` is the one of the reader's language: a plain object of texts and functions. A language is a folder whose
// index says `satisfies Texts`, so that the compiler names what is missing; English is the pattern.
import { en } from './en'

/** Texts stay texts and functions keep their arguments, whatever the words. */
export type Texts = typeof en

type Load = () => Promise<Texts>

/** Other languages are loaded when somebody reads them. */
const others: Record<string, Load> = {}

export const languages = ['en', ...Object.keys(others)]

const key = 'waxwing.language'

export let t: Texts = en

/** Languages of the reader, the most wanted first. */
function wanted(): string[] {
  const chosen = localStorage.getItem(key)
  return [...(chosen ? [chosen] : []), ...navigator.languages].map(each => each.slice(0, 2))
}

/** The language of the words. */
export function language(): string {
  return wanted().find(each => languages.includes(each)) ?? 'en'
}

export async function loadTexts(): Promise<void> {
  const load = others[language()]
  if (load) t = await load()
  document.documentElement.lang = language()
}

/** Words are read when a page is drawn, so it is loaded anew. */
export function chooseLanguage(name: string): void {
  localStorage.setItem(key, name)
  location.reload()
}
