// What a recipient was shown when deciding, for the ledger of consent: the sentence and the button of the form, as plain text. Pure.

import type { SnoozeDuration } from '../../audience/contacts'
import { pickLocale } from './language'
import type { PageName } from './link'
import type { Locale } from './locales'
import { leaveAll, type PageRecipient, topicInQuestion } from './page'
import { sentenceAsText } from './sentence'

export type Decision =
  | { type: 'subscribe' }
  | { type: 'unsubscribe' }
  | { type: 'snooze'; duration: SnoozeDuration }
  | { type: 'join' | 'leave'; topicId: string }

/** In the language of the page, with its code: `[en] Do you want … / Unsubscribe`. `shown`: as the page was before the decision. */
export function wordingOf(page: PageName, decision: Decision, shown: PageRecipient): string {
  const locale = pickLocale(shown.locale, shown.projectLanguage)
  const topic =
    'topicId' in decision ? shown.topics.find(({ id }) => id === decision.topicId) : topicInQuestion(shown)
  const facts = { email: shown.email, projectName: shown.projectName, topic: topic?.name ?? '' }
  const sentence = sentences[page](locale, decision, { ...shown, hasTopic: topic !== undefined })
  const filled = sentenceAsText(sentence, facts)
  return `[${locale.code}] ${filled} / ${buttonOf(locale, page, decision, shown)}`
}

type Sentence = (locale: Locale, decision: Decision, shown: PageRecipient & { hasTopic: boolean }) => string

const sentences: Record<PageName, Sentence> = {
  subscribe: ({ subscribe }) => subscribe.question,
  manage: ({ manage, topics }, decision) =>
    'topicId' in decision ? `{topic} (${topics.title})` : manage.description,
  unsubscribe({ unsubscribe, topics }, { type }, { subscribed, snoozedUntil, hasTopic }) {
    if (type === 'subscribe' && !subscribed && !snoozedUntil) return unsubscribe.changedMind
    return hasTopic ? topics.question : unsubscribe.question
  },
}

function buttonOf(locale: Locale, page: PageName, { type }: Decision, shown: PageRecipient): string {
  if (type === 'snooze') return locale.snooze.button
  if (type === 'join') return locale.subscribe.button
  if (type === 'leave') return locale.unsubscribe.button
  if (type === 'unsubscribe') return leaveAll(locale, page, shown)
  if (shown.snoozedUntil) return locale.snooze.resume
  return page === 'unsubscribe' ? locale.unsubscribe.again : locale.subscribe.button
}
