// The plan of a campaign's moments: the clocks of all time zones, and the hours in which something may leave.
import { isTimeZone } from '../../../../../lib/local-time'
import { hour } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { perContext } from '../../../../../platform/per-context'
import type { Moments } from '../../authoring/timing'
import { noTiming, openWeek, planZones, spanOf } from '../../authoring/timing'
import type { CampaignRow } from '../../queries'
import { type MomentFacts, selectZoneNames } from '../queries/moments'

/** Undefined where everything leaves as soon as possible. */
export async function momentsFor(
  ctx: Context,
  { type, timing, quietHours, timeZone, timeZoneField }: MomentFacts & Pick<CampaignRow, 'type'>,
  start: Date,
): Promise<Moments | undefined> {
  // Quiet hours that skip are for the moment of sending.
  const quiet = type !== 'TRANSACTIONAL' && quietHours?.whenHeld === 'LATER' ? quietHours : null
  const week = openWeek(timing, quiet)
  if (!timing && !week) return undefined
  const zones = timeZoneField === null ? [] : await zoneNames(ctx)()
  const plan = { timing: timing ?? noTiming, week, start: start.getTime(), projectZone: timeZone ?? 'UTC' }
  return { ...planZones(plan, zones), field: timeZoneField, spanMs: spanOf(plan.timing) }
}

/** The server reads them from its files. */
const zoneNames = perContext(ctx => {
  let known: { names: Promise<string[]>; until: number } | undefined
  return () => {
    const now = ctx.clock.now().getTime()
    if (known && known.until > now) return known.names
    const names = selectZoneNames(ctx).then(found => found.filter(isTimeZone))
    known = { names, until: now + hour }
    names.catch(() => {
      known = undefined
    })
    return names
  }
})
