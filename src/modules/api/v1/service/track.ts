// Accepts tracked events, several at once: contacts, events, the jobs that route them and idempotency keys in one transaction.
// When it has committed, every one of them is durable; when it has not, none of them happened.
import type { Settled } from '../../../../lib/batcher'
import { type FieldError, invalid } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { type ConsentOrigin, updateContact } from '../../../audience/contacts'
import { type EventRow, recordProjectEvents } from '../../../audience/events'
import type { TrackResult } from '../model/bodies'
import type { TrackRequest } from '../model/track'
import { boundLockWaits, noteResults } from '../queries'
import { claimFor, type OptionalClaim, refusal } from './claims'
import { upsertInOrder } from './contacts'
import { shareTransactions } from './sharing'

/** Whose request it is, and under which key and path it is remembered. */
export interface TrackOrigin {
  projectId: string
  byPublicKey: boolean
  /** Who opted out is not subscribed by it. */
  keepsOptOuts: boolean
  consent: ConsentOrigin
  key: string | undefined
  path: string
}

type Tracking = TrackOrigin & Omit<TrackRequest, 'who'>
type AddressTracking = Tracking & { email: string }
type ContactTracking = Tracking & { contactId: string }

/**
 * Resolves when the event is durably accepted. 422 for a faulty request, 409 for a used key, 404 for an id that is not a contact of
 * the project.
 */
export type Track = (request: TrackRequest | FieldError[], origin: TrackOrigin) => Promise<TrackResult>

/** One for each instance: requests that arrive together share a transaction, whichever route they took. */
export const trackerOf = perContext(makeTracker)

function makeTracker(ctx: Context): Track {
  const accept = shareTransactions<AddressTracking, TrackResult>(ctx, {
    work: (trackings, isShared) => acceptTrackings(ctx, trackings, isShared),
    size: 50,
  })
  return async (request, origin) => {
    if (Array.isArray(request)) throw invalid(request)
    const { who, ...event } = request
    if ('email' in who) return await accept({ ...origin, ...event, email: who.email })
    return await trackContact(ctx, { ...origin, ...event, contactId: who.contactId })
  }
}

/** One answer per request, in order. Those whose key is taken are refused and leave no trace. */
async function acceptTrackings(
  ctx: Context,
  trackings: AddressTracking[],
  isShared: boolean,
): Promise<Settled<TrackResult>[]> {
  return await inTransaction(ctx, async tx => {
    if (isShared) boundLockWaits(tx)
    const free = await claimFor(tx, trackings, claimOf)
    const accepted = trackings.filter(tracking => free.has(tracking))
    const contacts = await upsertInOrder(tx, accepted.map(toUpsert))
    const located = accepted.map((tracking, index) => ({
      ...tracking,
      contactId: contacts[index]!.contact.id,
    }))
    const results = await record(tx, located)
    const answers = new Map(accepted.map((tracking, index) => [tracking, results[index]!]))
    return await Promise.all(
      trackings.map(async tracking => {
        const value = answers.get(tracking)
        return value ? { value } : { error: await refusal(tx, claimOf(tracking)) }
      }),
    )
  })
}

/** The ids are noted with the key once there are any: events come after the changed states that the same request causes. */
function claimOf(tracking: AddressTracking | ContactTracking): OptionalClaim {
  const { projectId, byPublicKey, key, path, consent: _, keepsOptOuts: __, ...said } = tracking
  return { projectId, byPublicKey, key, said, path, result: {} }
}

function toUpsert({ consent: origin, projectId, email, patch, subscribed, keepsOptOuts }: AddressTracking) {
  return { projectId, email, patch, subscribed, defaultSubscribed: true, keepsOptOuts, origin }
}

/** Records the events and returns the result of each request, which is also what its key is answered with from now on. */
async function record(tx: Context, trackings: readonly ContactTracking[]): Promise<TrackResult[]> {
  const rows = await recordProjectEvents(
    tx,
    trackings.map(({ projectId, event, contactId, data, patch }) => ({
      projectId,
      name: event,
      contactId,
      data,
      transient: patch.transient,
    })),
  )
  const claims = trackings.flatMap(({ projectId, byPublicKey, key, contactId }, index) => {
    const result = { contact: contactId, event: rows[index]!.id }
    return key === undefined ? [] : { projectId, byPublicKey, key, result }
  })
  if (claims.length > 0) await noteResults(tx, claims)
  return rows.map(toResult)
}

function toResult({ contactId, id, createdAt }: EventRow): TrackResult {
  return { contact: contactId!, event: id, timestamp: createdAt.toISOString() }
}

/** For a contact that is named by its id: nothing is created, so nothing is gained by sharing. */
async function trackContact(ctx: Context, tracking: ContactTracking): Promise<TrackResult> {
  const { projectId, contactId, subscribed, patch, keepsOptOuts, consent: origin } = tracking
  return await inTransaction(ctx, async tx => {
    const free = await claimFor(tx, [tracking], claimOf)
    if (!free.has(tracking)) throw await refusal(tx, claimOf(tracking))
    const data = { ...patch.set, ...Object.fromEntries(patch.remove.map(key => [key, null])) }
    await updateContact(tx, projectId, contactId, { subscribed, data, keepsOptOuts }, { origin })
    const [result] = await record(tx, [tracking])
    return result!
  })
}
