// In which hours the recipients of a campaign are due, by their clocks and by the cap of marketing mail for each of them. Pure.
import { hour } from '../../../../lib/time'
import type { MailCap } from '../../../accounts/projects'
import { hoursOf, type Moments } from './timing'

export interface PlanCount {
  /** Null where the zone is not known, or where everybody is at once. */
  plan: number | null
  /** The hour in which the cap lets them have another mail; null where it does already. */
  freeAt: number | null
  recipients: number
}

export interface PlanFactors {
  moments: Moments | undefined
  cap: MailCap | null
  /** When it begins. */
  from: Date
}

/**
 * What a forecast can't know: the mail of other projects by a transport in warm-up, which recipients a transport takes that is for some domains
 * only, and what else takes places under the cap before this campaign does.
 */
export const forecastUnknowns = ['OTHER_PROJECTS', 'RECIPIENT_TRANSPORTS', 'OTHER_MAIL'] as const
export type ForecastUnknown = (typeof forecastUnknowns)[number]

export interface ForecastHours {
  /** How many are due in each hour, by its beginning. */
  hours: Map<number, number>
  /** Whom the cap puts off; they are among those of a later hour. */
  heldByCap: number
  /** Whom the cap skips; they are in no hour. */
  skippedByCap: number
}

/** `shareOf` says how many of some recipients count. What the cap puts off is due in the hour in which it lets them have another mail. */
export function forecastHours(
  counted: readonly PlanCount[],
  shareOf: (recipients: number) => number,
  { moments, cap, from }: PlanFactors,
): ForecastHours {
  const counts: ForecastHours = { hours: new Map(), heldByCap: 0, skippedByCap: 0 }
  const at = (begin: number, count: number): void =>
    void counts.hours.set(begin, (counts.hours.get(begin) ?? 0) + count)
  for (const { plan, freeAt, recipients } of counted) {
    const count = shareOf(recipients)
    const due = moments
      ? hoursOf(moments.plans[plan ?? moments.other]!, count)
      : [[Math.floor(from.getTime() / hour) * hour, count] as const]
    for (const [begin, inHour] of due) {
      if (freeAt === null || freeAt <= begin) at(begin, inHour)
      else if (cap?.whenHeld === 'SKIP') counts.skippedByCap += inHour
      else {
        counts.heldByCap += inHour
        at(freeAt, inHour)
      }
    }
  }
  return counts
}

/** Both together, the parts of one audience. */
export function bothForecasts(one: ForecastHours, other: ForecastHours): ForecastHours {
  const hours = new Map(one.hours)
  for (const [at, count] of other.hours) hours.set(at, (hours.get(at) ?? 0) + count)
  return {
    hours,
    heldByCap: one.heldByCap + other.heldByCap,
    skippedByCap: one.skippedByCap + other.skippedByCap,
  }
}
