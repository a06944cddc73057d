// Which language is shown: the reader's choice in this browser, otherwise the first of the browser's languages for which there are texts.

/** Each language by its own name. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français' }
export type Language = keyof typeof languages

const key = 'waxwing.language'

export function wantedLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages]
  return wanted.map(primary).find(isSpoken) ?? 'en'
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(key, language)
}

/** The locale for numbers and dates: the reader's own region, if it uses the language. */
export function localeOf(language: string): string {
  return globalThis.navigator?.languages?.find(each => primary(each) === language) ?? language
}

export function isSpoken(code: string): code is Language {
  return Object.hasOwn(languages, code)
}

/** `de` of `de-AT`. */
function primary(tag: string): string {
  return tag.split('-')[0]!
}
