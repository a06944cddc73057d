// Our own letter that asks for the confirmation, in the language of the form and in the name of the project. It repeats nothing that somebody
// entered: it goes to whoever has the address. Pure.
import { type Letter, writeLetter } from '../letters'
import { dateInWords, pickLocale, sentenceAsText } from '../preferences'

export interface ConfirmationFacts {
  email: string
  projectName: string
  language: string
  url: string
  expiresAt: Date
}

export function writeConfirmLetter({
  email,
  projectName,
  language,
  url,
  expiresAt,
}: ConfirmationFacts): Letter {
  const { code, forms } = pickLocale(language)
  const facts = { email, projectName, date: dateInWords(expiresAt, code) }
  const fill = (text: string): string => sentenceAsText(text, facts)
  return writeLetter({
    subject: fill(forms.mail.subject),
    opening: [fill(forms.mail.text)],
    link: { words: forms.confirm.button, url },
    closing: [fill(forms.mail.until), forms.mail.ignore],
    from: { name: projectName, language: code },
  })
}
