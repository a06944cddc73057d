// The pages behind the links in mails: plain HTML with forms, no script, nothing loaded from anywhere. Pure.
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/escape'
import { type SnoozeDuration, snoozeDurations } from '../contacts/snoozing'
import type { PageName } from './link'

export interface PageRecipient {
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  projectName: string
}

const style = `
body { margin: 0; padding: 2rem 1rem; background: #f6f7f9; color: #1c2024; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 2rem; background: #fff; border: 1px solid #d5d9de; border-radius: 8px; overflow-wrap: anywhere; }
h1 { margin-top: 0; font-size: 1.4rem; }
form { margin: 1.25rem 0; }
button, select { font: inherit; padding: .5rem 1rem; border: 1px solid #5f6b78; border-radius: 6px; background: #fff; color: inherit; }
button.main { background: #0b57d0; border-color: #0b57d0; color: #fff; }
:focus-visible { outline: 3px solid #f2a600; outline-offset: 2px; }
label { display: block; margin-bottom: .4rem; }
.note { padding: .75rem 1rem; border-left: 4px solid #0b57d0; background: #eef3fb; }
`

const digest = createHash('sha256').update(style).digest('base64')

/**
 * Headers of every page. The token in the address must not reach another site, so no address is ever told to one; within this
 * site it is, because browsers that tell none send forms with the origin "null".
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
}

/** The page before or after a decision; `note` tells what has just happened. */
export function renderPage(page: PageName, recipient: PageRecipient, note?: string): string {
  const title = titles[page]
  const notice = note === undefined ? '' : `<p class="note" role="status">${escapeHtml(note)}</p>`
  const about = `<p>E-mails from <strong>${escapeHtml(recipient.projectName)}</strong> to <strong>${escapeHtml(recipient.email)}</strong>: ${escapeHtml(describeState(recipient))}</p>`
  return document(title, `<h1>${title}</h1>${notice}${about}${forms(page, recipient)}`)
}

/** The page of a link that does not work. */
export function renderInvalid(): string {
  const title = 'This link is not valid'
  return document(
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

function document(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">' +
    `<title>${title}</title><style>${style}</style></head><body><main>${body}</main></body></html>`
  )
}
