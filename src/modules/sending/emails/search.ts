// What a request for a page of the email log means. A value that could name nothing (an id that is not a UUID) finds nothing. Pure.
import { isEmail, normaliseEmail, partOfAddress } from '../../../lib/address'
import { type Cursor, cursorDate, decodeCursor } from '../../../lib/cursor'
import { isUuid } from '../../../lib/ids'
import { parseDate } from '../../../lib/time'
import { type EmailStatus, emailStatuses } from './schema'

/** The members of the query string, all as text. */
export interface EmailSearchRequest {
  cursor?: string
  contactId?: string
  to?: string
  subject?: string
  templateId?: string
  campaignId?: string
  workflowId?: string
  status?: string
  trouble?: string
  since?: string
  until?: string
}

/** Where a page begins: the last row of the one before. */
export interface EmailPosition {
  createdAt: Date
  id: string
}

export interface EmailSearch {
  contactId?: string
  /** A whole address: where it belongs to a contact, that contact's messages are searched. */
  address?: string
  /** Part of an address. */
  to?: string
  subject?: string
  templateId?: string
  campaignId?: string
  workflowId?: string
  status?: EmailStatus
  trouble?: TroubleKind | 'any'
  since?: Date
  until?: Date
}

/** Undefined if nothing can be found: an id that is not a UUID. */
export function readEmailSearch(request: EmailSearchRequest): EmailSearch | undefined {
  const { contactId, templateId, campaignId, workflowId } = request
  const ids = { contactId, templateId, campaignId, workflowId }
  if (Object.values(ids).some(id => id && !isUuid(id))) return undefined
  const to = normaliseEmail(request.to ?? '')
  const address = isEmail(to) ? to : undefined
  const wanted = {
    ...ids,
    address,
    to: address ? undefined : partOfAddress(request.to ?? ''),
    subject: request.subject?.trim(),
    status: emailStatuses.find(each => each === request.status),
    trouble: request.trouble === 'any' ? 'any' : troubleKinds.find(each => each === request.trouble),
    since: parseDate(request.since ?? ''),
    until: parseDate(request.until ?? ''),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)) as EmailSearch
}

/** Whether rows have to be looked at one by one, because no index covers what is searched for. */
export function isSought({ contactId: _, ...search }: EmailSearch): boolean {
  return Object.keys(search).length > 0
}

export function readEmailPosition(cursor: string | undefined): EmailPosition | undefined {
  const position = decodeCursor(cursor)
  return position && { createdAt: cursorDate(position), id: position.id }
}

export function cursorAt({ createdAt, id }: EmailPosition): Cursor {
  return { value: createdAt.toISOString(), id }
}

/** What can go wrong with a message, as far as lists distinguish it. */
export const troubleKinds = ['waiting', 'failed', 'bounced', 'complained', 'suppressed'] as const
export type TroubleKind = (typeof troubleKinds)[number]
/** As a filter. */
export const troubleWords = ['any', ...troubleKinds] as const
