// Lists of events, and statistics about their names. Counts come from the kept totals, or stop at a bound: nothing here reads more rows
// because there are more.
import { day } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import type { EventUser } from '../hooks'
import { eventUses } from '../hooks'
import { isReservedName } from '../names'
import {
  countContactEvents,
  countNameContacts,
  type EventListing,
  type ListedEvent,
  type NameCount,
  type OpenDaySpan,
  selectCount,
  selectDayCounts,
  selectEvents,
  selectNameCounts,
  selectNameDays,
  selectNewestData,
} from '../queries'

/** The events of one contact are counted one by one, but not further than this. */
export const maxEventsCounted = 10_000

/** `uniqueContacts` looks at no more than these newest events of a name. */
export const maxCompared = 100_000

export interface EventPage {
  /** Up to one row more than the limit. */
  rows: ListedEvent[]
  /** All matches, counted for the first page only. */
  total: number
}

export async function listEvents(ctx: Context, projectId: string, listing: EventListing): Promise<EventPage> {
  const [rows, total] = await Promise.all([
    selectEvents(ctx, projectId, listing),
    listing.after === null ? countEvents(ctx, projectId, listing.of) : 0,
  ])
  return { rows, total }
}

async function countEvents(ctx: Context, projectId: string, of: EventListing['of']): Promise<number> {
  if (of === 'all') return selectCount(ctx, projectId, null)
  if ('name' in of) return selectCount(ctx, projectId, of.name)
  return countContactEvents(ctx, projectId, of.contactId, maxEventsCounted)
}

/** Names with how often each was recorded, most frequent first; ever, or in a span of days. */
export async function countEventNames(
  ctx: Context,
  projectId: string,
  days?: OpenDaySpan,
): Promise<NameCount[]> {
  if (!days || (days.first === null && days.last === null)) return selectNameCounts(ctx, projectId)
  return selectDayCounts(ctx, projectId, days)
}

/** The most days of a series. */
const maxSeriesDays = 180

/** How often a name was recorded on each of the last days (UTC), today included; zeros where it was not. */
export async function nameSeries(
  ctx: Context,
  projectId: string,
  name: string,
  days: number,
): Promise<Array<{ date: string; count: number }>> {
  const now = ctx.clock.now().getTime()
  const length = Math.min(maxSeriesDays, days)
  const all = Array.from({ length }, (_, ago) => dayOf(now - (length - 1 - ago) * day))
  const found = await selectNameDays(ctx, projectId, name, { first: all[0]!, last: all.at(-1)! })
  const counts = new Map(found.map(row => [row.day, row.count]))
  return all.map(date => ({ date, count: counts.get(date) ?? 0 }))
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

export interface EventUsage {
  usedInSegments: EventUser[]
  usedInWorkflows: EventUser[]
  totalCount: number
  uniqueContacts: number
  canDelete: boolean
}

export async function describeUsage(ctx: Context, projectId: string, name: string): Promise<EventUsage> {
  const [parts, totalCount, uniqueContacts] = await Promise.all([
    callHook(ctx, eventUses, { projectId, name }),
    selectCount(ctx, projectId, name),
    countNameContacts(ctx, projectId, name, maxCompared),
  ])
  const usedInSegments = parts.flatMap(part => part.segments ?? [])
  const usedInWorkflows = parts.flatMap(part => part.workflows ?? [])
  const isUsed = usedInSegments.length + usedInWorkflows.length > 0
  return {
    usedInSegments,
    usedInWorkflows,
    totalCount,
    uniqueContacts,
    canDelete: !isUsed && !isReservedName(name),
  }
}

/** How many of the newest events are read to find out which fields there are. */
const maxSampled = 100

/** The top-level keys in the data of the newest events, of one name or of all, as `event.<key>` by name. */
export async function listEventFields(
  ctx: Context,
  projectId: string,
  name: string | null = null,
): Promise<string[]> {
  const samples = await selectNewestData(ctx, projectId, name, maxSampled)
  return [...new Set(samples.flatMap(data => Object.keys(data)))].map(key => `event.${key}`).sort()
}
