// Which language a recipient is addressed in: the first known one of those asked for, exactly or by its base (`pt-BR` is served in `pt`),
// otherwise English.
import { fallback, type Locale, locales } from './locales'

/** Every language that pages and letters are there in. */
export const languageCodes: readonly string[] = Object.keys(locales)

const codes = new Map(languageCodes.map(code => [code.toLowerCase(), code]))

/** Chinese is written in two ways; a tag that names the script or only the language is mapped to one of ours. */
const chinese = new Map([
  ['zh', 'zh-CN'],
  ['zh-hans', 'zh-CN'],
  ['zh-sg', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-mo', 'zh-HK'],
])

/** `asked` is in order of preference; anything but text is ignored. */
export function pickLocale(...asked: readonly unknown[]): Locale {
  for (const tag of asked) {
    const code = typeof tag === 'string' ? knownCode(tag) : undefined
    if (code !== undefined) return locales[code]!
  }
  return fallback
}

/** What a browser asks for (RFC 9110, Accept-Language), best first. */
export function acceptedLanguages(header: string | null): string[] {
  const ranges = (header ?? '').slice(0, 500).split(',').slice(0, 20)
  return ranges
    .map(range => {
      const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

function knownCode(tag: string): string | undefined {
  if (tag.length > 35) return undefined
  const parts = tag.trim().toLowerCase().replaceAll('_', '-').split('-')
  for (let length = parts.length; length > 0; length--) {
    const shorter = parts.slice(0, length).join('-')
    const code = codes.get(shorter) ?? chinese.get(shorter)
    if (code !== undefined) return code
  }
  return undefined
}
