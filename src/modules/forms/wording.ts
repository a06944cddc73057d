// What a form says: its own words, otherwise ours in the language of the page. Pure.
import { acceptedLanguages, type Locale, languageCodes, pickLocale } from '../preferences'
import type { PublicForm } from './queries'

export type WordedForm = Pick<PublicForm, 'language' | 'look' | 'projectName' | 'projectLanguage'>

export interface FormWords {
  heading: string
  text: string | null
  consent: string
  button: string
}

export function formWords({ look, projectName }: WordedForm, locale: Locale): FormWords {
  return {
    heading: look.heading ?? locale.subscribe.title,
    text: look.text,
    consent: look.consent ?? locale.forms.consent.replace('{projectName}', () => projectName),
    button: look.button ?? locale.subscribe.button,
  }
}

/** For the ledger of consent: `[en] Newsletter / By subscribing you agree … / Subscribe`. */
export function formWording(form: WordedForm, locale: Locale): string {
  const { heading, text, consent, button } = formWords(form, locale)
  // What was agreed to comes first: the ledger cuts what is too long.
  const parts = [heading, consent, button, text].filter(part => part !== null)
  return `[${locale.code}] ${parts.join(' / ')}`
}

/** The form's own language, else that in which the visitor was shown it, else what the browser asks for. */
export function formLocale(form: WordedForm, shown: string | null, accepted: string | null): Locale {
  if (form.language !== null) return pickLocale(form.language)
  if (shown !== null && languageCodes.includes(shown)) return pickLocale(shown)
  return pickLocale(...acceptedLanguages(accepted), form.projectLanguage)
}
