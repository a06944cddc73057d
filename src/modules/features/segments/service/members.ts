// Members of static segments, added and removed by address. Neither records entries or exits.

import { isEmail, normaliseEmail } from '../../../../lib/address'
import { badRequest, shortBadRequest } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { anyChange, type LiveRule } from '../../../accounts/projects'
import {
  type ChangedThen,
  type ConsentOrigin,
  type ListChange,
  upsertContacts,
} from '../../../audience/contacts'
import {
  addToCount,
  deleteMembers,
  deleteMembersOfContacts,
  deleteMembersSince,
  type InsertedMember,
  insertMembers,
  type KnownContact,
  lockSegment,
  selectContactsByEmail,
  selectSegmentIdsOf,
} from '../queries'
import { isSegmentDue } from './due'
import { holdSegment, segmentNotFound } from './read'

const onlyStatic = 'Can only add contacts to STATIC segments'

export interface NewMembers {
  emails?: string[]
  /** Whether to create contacts for addresses that have none. */
  createMissing?: boolean
  /** The state of contacts that are created; the others keep theirs. */
  subscribed?: boolean
}

export interface MembersAdded {
  /** Contacts that were found or created, members before or not. */
  added: number
  created: number
  /** As the caller wrote them. */
  notFound: string[]
}

export async function addMembers(
  ctx: Context,
  projectId: string,
  id: string,
  given: NewMembers,
  { origin, rule = anyChange }: { origin?: ConsentOrigin | undefined; rule?: LiveRule } = {},
): Promise<MembersAdded> {
  const emails = requireEmails(given.emails)
  return inTransaction(ctx, async tx => {
    await rule(tx, { isLive: () => isSegmentDue(tx, { projectId, segmentId: id }) })
    await lockStatic(tx, projectId, id, onlyStatic)
    const normalised = [...new Set(emails.map(normaliseEmail))]
    const known = await selectContactsByEmail(tx, projectId, normalised)
    const made = given.createMissing
      ? await createMissing(tx, projectId, normalised, known, { subscribed: given.subscribed, origin })
      : []
    const all = new Map([...known, ...made].map(contact => [contact.email, contact.id]))
    await joinSegment(tx, projectId, id, [...all.values()])
    return {
      added: all.size,
      created: made.filter(contact => contact.isNew).length,
      notFound: emails.filter(email => !all.has(normaliseEmail(email))),
    }
  })
}

/** The same for contacts whose ids are known; returns how many are new. */
export async function addContacts(
  tx: Context,
  projectId: string,
  id: string,
  contactIds: readonly string[],
): Promise<number> {
  await lockStatic(tx, projectId, id, onlyStatic)
  return (await joinSegment(tx, projectId, id, contactIds)).filter(({ isNew }) => isNew).length
}

async function joinSegment(
  tx: Context,
  projectId: string,
  id: string,
  contactIds: readonly string[],
): Promise<InsertedMember[]> {
  const members = await insertMembers(tx, projectId, id, contactIds)
  const added = members.filter(({ isNew }) => isNew).length
  if (added > 0) await addToCount(tx, projectId, id, added)
  return members
}

/** 404 or 400 where contacts can't be put on it. The segment stays until the transaction ends. */
export async function requireList(tx: Context, { projectId, segmentId }: ListOf): Promise<void> {
  const { type } = await holdSegment(tx, projectId, segmentId)
  if (type !== 'STATIC') throw badRequest(onlyStatic)
}

interface ListOf {
  projectId: string
  segmentId: string
}

/** Adds contacts to a list; returns which of them were not on it before. */
export async function joinList(
  tx: Context,
  { projectId, segmentId, contactIds }: ListOf & { contactIds: readonly string[] },
): Promise<ListChange> {
  await lockStatic(tx, projectId, segmentId, onlyStatic)
  const members = await joinSegment(tx, projectId, segmentId, contactIds)
  const changed = members.filter(({ isNew }) => isNew).map(({ id, changedAt }) => ({ id, changedAt }))
  return { found: members.map(({ id }) => id), changed }
}

/** Removes those from a list who were added at that moment. */
export async function leaveList(
  tx: Context,
  { projectId, segmentId, members }: ListOf & { members: readonly ChangedThen[] },
): Promise<ListChange> {
  await lockStatic(tx, projectId, segmentId, 'Can only remove contacts from STATIC segments')
  const contacts = await deleteMembersSince(tx, projectId, segmentId, members)
  const gone = new Set(contacts.filter(({ isGone }) => isGone).map(({ id }) => id))
  const changed = members.filter(({ id }) => gone.has(id))
  if (changed.length > 0) await addToCount(tx, projectId, segmentId, -changed.length)
  return { found: contacts.map(({ id }) => id), changed }
}

/** What can't be an address is left out and so reported as not found. */
async function createMissing(
  tx: Context,
  projectId: string,
  normalised: readonly string[],
  known: readonly KnownContact[],
  { subscribed = true, origin }: { subscribed?: boolean | undefined; origin?: ConsentOrigin | undefined },
): Promise<(KnownContact & { isNew: boolean })[]> {
  const have = new Set(known.map(contact => contact.email))
  const entries = normalised
    .filter(email => !have.has(email) && isEmail(email))
    .map(email => ({ email, ...(origin && { origin }) }))
  const made = await upsertContacts(tx, projectId, entries, { defaultSubscribed: subscribed })
  return made.map(({ contact, isNew }) => ({ id: contact.id, email: contact.email, isNew }))
}

/** Returns how many of the addresses are contacts, members before or not. */
export async function removeMembers(
  ctx: Context,
  projectId: string,
  id: string,
  given: readonly string[] | undefined,
  rule: LiveRule = anyChange,
): Promise<number> {
  const emails = requireEmails(given)
  return inTransaction(ctx, async tx => {
    // A campaign may leave out who is on the list.
    await rule(tx, { isLive: () => isSegmentDue(tx, { projectId, segmentId: id }) })
    await lockStatic(tx, projectId, id, 'Can only remove contacts from STATIC segments')
    const known = await selectContactsByEmail(tx, projectId, [...new Set(emails.map(normaliseEmail))])
    const gone = await deleteMembers(
      tx,
      projectId,
      id,
      known.map(contact => contact.id),
    )
    if (gone > 0) await addToCount(tx, projectId, id, -gone)
    return known.length
  })
}

function requireEmails(emails: readonly string[] | undefined): readonly string[] {
  if (!emails || emails.length === 0) throw shortBadRequest('emails must be a non-empty array')
  return emails
}

async function lockStatic(tx: Context, projectId: string, id: string, otherwise: string): Promise<void> {
  const segment = await lockSegment(tx, projectId, id, 'change')
  if (!segment) throw segmentNotFound(id)
  if (segment.type !== 'STATIC') throw badRequest(otherwise)
}

/** Removes contacts that were deleted from all segments. */
export async function removeContactsFromSegments(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<void> {
  await inTransaction(ctx, tx => deleteMembersOfContacts(tx, projectId, contactIds))
}

/** Two contacts became one, which is in the segments of both. */
export async function joinSegmentsOf(
  tx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  for (const id of await selectSegmentIdsOf(tx, projectId, from)) await joinSegment(tx, projectId, id, [to])
}
