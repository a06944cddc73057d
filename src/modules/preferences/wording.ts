// What a recipient was shown when deciding, for the ledger of consent: the sentence and the button of the form, as plain text. Pure.
import { pickLocale } from './language'
import type { PageName } from './link'
import type { Locale } from './locale'
import type { PageRecipient } from './page'
import type { Decision } from './service'

/** In the language of the page, with its code: `[en] Do you want … / Unsubscribe`. */
export function wordingOf(page: PageName, decision: Decision, shown: PageRecipient): string {
  const locale = pickLocale(shown.locale, shown.projectLanguage)
  const topic =
    'topicId' in decision ? shown.topics.find(({ id }) => id === decision.topicId)?.name : undefined
  const facts: Record<string, string> = {
    email: shown.email,
    projectName: shown.projectName,
    topic: topic ?? '',
  }
  const filled = sentenceOf(locale, page, topic).replace(
    /\{(\w+)\}/g,
    (whole, name: string) => facts[name] ?? whole,
  )
  return `[${locale.code}] ${filled} / ${buttonOf(locale, page, decision, shown)}`
}

function sentenceOf(locale: Locale, page: PageName, topic: string | undefined): string {
  if (page === 'manage')
    return topic === undefined ? locale.manage.description : `{topic} (${locale.topics.title})`
  return topic === undefined ? locale[page].question : locale.topics.question
}

function buttonOf(locale: Locale, page: PageName, { type }: Decision, shown: PageRecipient): string {
  if (type === 'snooze') return locale.snooze.button
  if (type === 'join') return locale.subscribe.button
  if (type === 'leave' || type === 'unsubscribe') return locale.unsubscribe.button
  if (shown.snoozedUntil) return locale.snooze.resume
  return page === 'unsubscribe' ? locale.unsubscribe.again : locale.subscribe.button
}
