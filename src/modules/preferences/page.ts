// The pages behind the links in mails: plain HTML with forms, no script, nothing loaded from anywhere. Pure.
import { escapeHtml } from '../../lib/escape'
import { pageDocument } from '../../lib/hosted-page'
import { type SnoozeDuration, snoozeDurations } from '../contacts/snoozing'
import type { PageName } from './link'

export { pageHeaders } from '../../lib/hosted-page'

export interface PageRecipient {
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  projectName: string
}

/** The page before or after a decision; `note` tells what has just happened. */
export function renderPage(page: PageName, recipient: PageRecipient, note?: string): string {
  const title = titles[page]
  const notice = note === undefined ? '' : `<p class="note" role="status">${escapeHtml(note)}</p>`
  const about = `<p>E-mails from <strong>${escapeHtml(recipient.projectName)}</strong> to <strong>${escapeHtml(recipient.email)}</strong>: ${escapeHtml(describeState(recipient))}</p>`
  return pageDocument(title, `<h1>${title}</h1>${notice}${about}${forms(page, recipient)}`)
}

/** The page of a link that does not work. */
export function renderInvalid(): string {
  const title = 'This link is not valid'
  return pageDocument(
    title,
    `<h1>${title}</h1><p>It may be incomplete, or the address has been removed. Please use the link of the e-mail as it is.</p>`,
  )
}

/** What is said after a decision. */
export function describeState({ subscribed, snoozedUntil }: PageRecipient): string {
  if (subscribed) return 'you are subscribed.'
  if (snoozedUntil === null) return 'you are unsubscribed.'
  return `paused until ${snoozedUntil.toISOString().slice(0, 10)}.`
}

const titles: Record<PageName, string> = {
  unsubscribe: 'Unsubscribe',
  subscribe: 'Subscribe',
  manage: 'Manage your subscription',
}

/** What is left to decide: nobody is offered the state that is there already, nor a pause of nothing. */
function forms(page: PageName, { subscribed, snoozedUntil }: PageRecipient): string {
  const isPaused = snoozedUntil !== null
  const offers = [
    (subscribed || isPaused) && page !== 'subscribe' ? button('unsubscribe', 'Unsubscribe') : '',
    subscribed ? '' : button('subscribe', isPaused ? 'Receive e-mails again now' : 'Subscribe again'),
    (subscribed || isPaused) && page !== 'subscribe' ? snoozeForm() : '',
  ]
  return offers.join('')
}

function button(action: string, text: string): string {
  return `<form method="post"><button class="main" name="action" value="${action}">${text}</button></form>`
}

const durationNames: Record<SnoozeDuration, string> = {
  '2_weeks': '2 weeks',
  '1_month': '1 month',
  '6_months': '6 months',
  '1_year': '1 year',
}

function snoozeForm(): string {
  const options = snoozeDurations.map(each => `<option value="${each}">${durationNames[each]}</option>`)
  return (
    '<form method="post"><label for="duration">Or receive nothing for a while</label>' +
    `<select id="duration" name="duration">${options.join('')}</select> ` +
    '<button name="action" value="snooze">Pause</button></form>'
  )
}
