// What went on in a project, newest first: one page of the feed, how much there is, and which kinds of it.
import { isUuid } from '../../../../lib/ids'
import { after, day, minute } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { decodePosition, readMoment } from '../position'
import {
  countFeed,
  countSince,
  type FeedRow,
  type Listing,
  type Presence,
  selectFeed,
  selectPresence,
} from '../queries'
import { type ActivityType, activityTypes, readTypes, typedNames, typeOfEvent, wantedOf } from '../types'

/** `total` and the recent count go no further: counting millions would take seconds, for a number nobody reads to its last digit. */
export const maxActivitiesCounted = 10_000

const standardSpanMs = 30 * day

export interface FeedRequest {
  limit: number
  cursor?: string
  types?: string
  contactId?: string
  startDate?: string
  endDate?: string
}

export interface FeedPage {
  /** Up to one row more than the limit. */
  rows: FeedRow[]
  /** Counted for the first page only, up to `maxActivitiesCounted`. */
  total: number
}

export async function listActivity(ctx: Context, projectId: string, request: FeedRequest): Promise<FeedPage> {
  const listing = readListing(ctx, request)
  if (!listing) return { rows: [], total: 0 }
  const [rows, total] = await Promise.all([
    selectFeed(ctx, projectId, listing, request.limit),
    listing.after ? 0 : countFeed(ctx, projectId, listing, maxActivitiesCounted),
  ])
  return { rows, total }
}

/** Undefined if nothing can match. */
function readListing(ctx: Context, request: FeedRequest): Listing | undefined {
  const until = readMoment(request.endDate, 'endDate')
  const now = ctx.clock.now()
  const from =
    readMoment(request.startDate, 'startDate') ?? after(until && until < now ? until : now, -standardSpanMs)
  const position = decodePosition(request.cursor)
  const types = readTypes(request.types)
  const contactId = request.contactId || undefined
  // No contact has an id that is not a UUID.
  if (!types || (contactId !== undefined && !isUuid(contactId))) return undefined
  return { wanted: wantedOf(types), contactId, from, until, after: position }
}

/** Events, messages and executions of the last minutes, up to `maxActivitiesCounted`. */
export async function countRecent(ctx: Context, projectId: string, minutes: number): Promise<number> {
  return countSince(ctx, projectId, after(ctx.clock.now(), -minutes * minute), maxActivitiesCounted)
}

/** The types that the project has, in their usual order. */
export async function listTypes(ctx: Context, projectId: string): Promise<ActivityType[]> {
  const presence = await selectPresence(ctx, projectId, typedNames)
  const types = new Set(typesOf(presence))
  return activityTypes.filter(type => types.has(type))
}

function typesOf({ typed, others, started, completed }: Presence): ActivityType[] {
  return [
    ...typed.map(typeOfEvent),
    ...(others ? ['event.triggered' as const] : []),
    ...(started ? ['workflow.started' as const] : []),
    ...(completed ? ['workflow.completed' as const] : []),
  ]
}
