// What a project's mail and events came to over some days. Everything is read from kept totals, whatever the size of the project.

import type { Context } from '../../../../platform/context'
import type { SpanRequest } from '../../../audience/events'
import {
  type DayCounts,
  listRefusals,
  noDayCounts,
  type ReceiverRefusals,
  selectDays,
} from '../../../sending/emails'
import { countEvents, countStarted } from '../queries'
import {
  type CampaignFigures,
  selectCampaignFigures,
  selectCampaignTotals,
  selectTopCampaigns,
  selectTopEvents,
  selectTopTemplates,
  type TemplateFigures,
} from '../queries/statistics'
import {
  type CampaignMetric,
  clampSpan,
  daysOf,
  percentOf,
  precedingSpan,
  readSpan,
  toOneDecimal,
  trendOf,
} from '../span'

const maxSeriesDays = 90

/** The counts of each day of the span, the last ninety at most; days without any have zeros. */
export async function timeseries(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
): Promise<Array<{ day: string; counts: DayCounts }>> {
  const now = ctx.clock.now()
  const span = clampSpan(readSpan(request, now), now, maxSeriesDays)
  const days = daysOf(span)
  if (days.length === 0) return []
  const found = new Map((await selectDays(ctx, projectId, span)).map(row => [row.day, row]))
  return days.map(day => ({ day, counts: found.get(day) ?? noDayCounts() }))
}

export async function topCampaigns(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
  metric: CampaignMetric,
  limit: number,
): Promise<CampaignFigures[]> {
  return selectTopCampaigns(ctx, projectId, readSpan(request, ctx.clock.now()), metric, limit)
}

/** Campaigns that are listed one by one. */
const maxListed = 100

export interface CampaignStats {
  total: number
  active: number
  sending: number
  completed: number
  averageOpenRate: number
  averageClickRate: number
  campaigns: CampaignFigures[]
}

export async function campaignSummary(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
): Promise<CampaignStats> {
  const span = readSpan(request, ctx.clock.now())
  const [totals, campaigns] = await Promise.all([
    selectCampaignTotals(ctx, projectId, span),
    selectCampaignFigures(ctx, projectId, span, maxListed),
  ])
  const { total, active, sending, completed, sent, opened, clicked } = totals
  return {
    ...{ total, active, sending, completed, campaigns },
    averageOpenRate: toOneDecimal(percentOf(opened, sent)),
    averageClickRate: toOneDecimal(percentOf(clicked, sent)),
  }
}

/** Messages that are looked at: no index knows templates by time. */
const maxScanned = 50_000

export async function topTemplates(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
  limit: number,
): Promise<TemplateFigures[]> {
  return selectTopTemplates(ctx, projectId, readSpan(request, ctx.clock.now()), maxScanned, limit)
}

/** Who rejected mail of the project for the sender's sake or by policy, most first. */
export async function rejections(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
  limit: number,
): Promise<ReceiverRefusals[]> {
  return await listRefusals(ctx, projectId, readSpan(request, ctx.clock.now()), limit)
}

export async function topEvents(
  ctx: Context,
  projectId: string,
  request: SpanRequest,
  limit: number,
): Promise<Array<{ name: string; count: number; trend: number }>> {
  const span = readSpan(request, ctx.clock.now())
  const found = await selectTopEvents(ctx, projectId, span, precedingSpan(span), limit)
  return found.map(({ name, count, before }) => ({ name, count, trend: trendOf(count, before) }))
}

/** Starts of executions have no kept total: they are counted by index, up to this. */
const maxStartsCounted = 100_000

/** Whole days in UTC, both included; the last thirty days where nothing is asked for. Messages count on the day they were made. */
export async function activityStats(ctx: Context, projectId: string, request: SpanRequest) {
  const span = readSpan(request, ctx.clock.now(), 30)
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
