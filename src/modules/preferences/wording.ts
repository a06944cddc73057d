// What a recipient was shown when deciding, for the ledger of consent: the sentence and the button of the form, as plain text. Pure.
import { pickLocale } from './language'
import type { Action, PageName } from './link'
import type { Locale } from './locale'
import type { PageRecipient } from './page'

type Shown = Omit<PageRecipient, 'id'>

/** In the language of the page, with its code: `[en] Do you want … / Unsubscribe`. */
export function wordingOf(page: PageName, action: Action, shown: Shown): string {
  const locale = pickLocale(shown.locale, shown.projectLanguage)
  const sentence = page === 'manage' ? locale.manage.description : locale[page].question
  const facts: Record<string, string> = { email: shown.email, projectName: shown.projectName }
  const filled = sentence.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole)
  return `[${locale.code}] ${filled} / ${buttonOf(locale, page, action, shown)}`
}

function buttonOf(locale: Locale, page: PageName, action: Action, shown: Shown): string {
  if (action === 'snooze') return locale.snooze.button
  if (action === 'unsubscribe') return locale.unsubscribe.button
  if (shown.snoozedUntil) return locale.snooze.resume
  return page === 'unsubscribe' ? locale.unsubscribe.again : locale.subscribe.button
}
