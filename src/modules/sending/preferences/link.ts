// A request through a link in a mail: its contact, its token, the message that it was in; and how to recognise a mail client's one-click
// request (RFC 8058). Pure.
import { isUuid } from '../../../lib/ids'

export interface ListLink {
  contactId: string
  token: string | undefined
  emailId: string | undefined
}

/** Parameters that come twice count once; nothing in a query makes such a request fail. */
export function readLink(contactId: string, url: string): ListLink {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : url.slice(start))
  return { contactId, token: query.get('t') ?? undefined, emailId: query.get('e') ?? undefined }
}

/** The query of the same link, for the next page, reduced to what can mean something. */
export function queryOf({ token, emailId }: ListLink): string {
  const query = new URLSearchParams({ t: token ?? '' })
  if (emailId !== undefined && isUuid(emailId)) query.set('e', emailId)
  return query.toString()
}

/** Mail clients send it as a form in either encoding. */
export function isOneClick(body: string): boolean {
  return /(?:^|&)List-Unsubscribe=One-Click(?:&|\s|$)/i.test(body) || isMultipartOneClick(body)
}

/** Checks line by line: a part of that name, the rest of its header, an empty line, and the word. */
function isMultipartOneClick(body: string): boolean {
  let reading: 'other' | 'header' | 'content' = 'other'
  for (const line of body.split(/\r?\n/)) {
    if (reading === 'content' && /^One-Click/i.test(line)) return true
    if (/name="?List-Unsubscribe"?$/i.test(line)) reading = 'header'
    else if (reading === 'header' && line === '') reading = 'content'
    else if (reading === 'content' || !/^[\w-]+:/.test(line)) reading = 'other'
  }
  return false
}

export type PageName = 'unsubscribe' | 'subscribe' | 'manage'

const actions = ['subscribe', 'unsubscribe', 'snooze', 'join', 'leave'] as const
export type Action = (typeof actions)[number]

/** Where a decision is confirmed: on its own page, unless it was made on the one that shows everything. */
export function pageAfter(page: PageName, action: Action): PageName {
  if (page === 'manage' || action === 'snooze' || action === 'join' || action === 'leave') return 'manage'
  return action
}

/** What a form asks for; the pages that have one purpose need not say it. */
export function readAction(page: PageName, form: URLSearchParams): Action | undefined {
  const asked = form.get('action')
  if (asked !== null) return actions.find(action => action === asked)
  return page === 'manage' ? undefined : page
}
