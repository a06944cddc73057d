// A project's figures over some days, from the kept totals.

import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { selectDays } from '../../emails'
import { readDays, type SpanRequest } from '../../events'
import { countEvents, countStarted } from '../queries'

export interface ActivityStats {
  totalEvents: number
  totalEmailsSent: number
  totalEmailsOpened: number
  totalEmailsClicked: number
  totalWorkflowsStarted: number
  openRate: number
  clickRate: number
}

/** Starts of executions have no kept total: they are counted by index, up to this. */
const maxStartsCounted = 100_000

/** Whole days in UTC, both included; the last thirty days where nothing is asked for. Messages count on the day they were made. */
export async function activityStats(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
): Promise<ActivityStats> {
  const now = ctx.clock.now()
  const asked = readDays(request)
  const span = { first: asked.first ?? isoDay(after(now, -30 * day)), last: asked.last ?? isoDay(now) }
  const [totalEvents, days, totalWorkflowsStarted] = await Promise.all([
    countEvents(ctx, projectId, span),
    selectDays(ctx, projectId, span),
    countStarted(ctx, projectId, span, maxStartsCounted),
  ])
  const sum = (name: 'created' | 'sent' | 'opened' | 'clicked'): number =>
    days.reduce((all, each) => all + each[name], 0)
  return {
    totalEvents,
    totalEmailsSent: sum('sent'),
    totalEmailsOpened: sum('opened'),
    totalEmailsClicked: sum('clicked'),
    totalWorkflowsStarted,
    openRate: percentOf(sum('opened'), sum('created')),
    clickRate: percentOf(sum('clicked'), sum('created')),
  }
}

function isoDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** 0 where there is nothing to be a part of. */
function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}
