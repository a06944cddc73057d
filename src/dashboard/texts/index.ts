// The catalogue of all texts. `t` is that of the reader's language: a plain object of texts and functions. English is the pattern: each
// file of another language declares which part of `Texts` it is, so that the compiler names what is missing.
import * as en from './en'
import { keepLanguage, type Language, wantedLanguage } from './language'

/** Texts stay texts and functions keep their arguments, whatever the wording. */
type Shape<Part> = Part extends string
  ? string
  : Part extends (...values: infer Values) => infer Said
    ? (...values: Values) => Shape<Said>
    : { [Name in keyof Part]: Shape<Part[Name]> }

export type Texts = Shape<typeof en>

type Load = () => Promise<Texts>

/** English comes with the first page, the others when they are needed. */
const loads: Record<Language, Load> = {
  en: async () => en,
  de: () => import('./de'),
  fr: () => import('./fr'),
}

export let t: Texts = en

let current: Language = 'en'
const listeners = new Set<() => void>()

/** The current language. */
export function language(): Language {
  return current
}

/** To be called before anything is drawn. Texts that can't be loaded are English ones. */
export async function loadTexts(): Promise<void> {
  await speak(wantedLanguage()).catch(() => speak('en'))
}

/** Switches the language, and remembers that in this browser. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  await speak(chosen)
  keepLanguage(chosen)
}

async function speak(next: Language): Promise<void> {
  t = await loads[next]()
  current = next
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

/** Calls `listener` when the language changes; returns a function that ends that. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
