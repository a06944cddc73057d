// The letter with the link to somebody's data, in their language and in the name of the project. Pure.
import { type Letter, writeLetter } from '../letters'
import { dateInWords, pickLocale, sentenceAsText } from '../preferences'

export interface PrivacyFacts {
  email: string
  projectName: string
  /** In order of preference. */
  languages: ReadonlyArray<string | null>
  url: string
  expiresAt: Date
}

export function writePrivacyLetter(given: PrivacyFacts): Letter {
  const { email, projectName, url } = given
  const { code, privacy, forms } = pickLocale(...given.languages)
  const facts = { email, projectName, date: dateInWords(given.expiresAt, code) }
  const fill = (text: string): string => sentenceAsText(text, facts)
  return writeLetter({
    subject: fill(privacy.mail.subject),
    opening: [fill(privacy.mail.text)],
    link: { words: privacy.title, url },
    closing: [fill(forms.mail.until), privacy.mail.ignore],
    from: { name: projectName, language: code },
  })
}
