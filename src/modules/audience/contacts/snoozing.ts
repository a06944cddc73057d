// How long a contact may snooze, and when that ends. Pure.
import { after, day } from '../../../lib/time'

export const snoozeDurations = ['2_weeks', '1_month', '6_months', '1_year'] as const
export type SnoozeDuration = (typeof snoozeDurations)[number]

/** The end of a snooze that begins at `now`: the same day and time of a later month, or that month's last day. */
export function snoozeEnd(now: Date, duration: SnoozeDuration): Date {
  switch (duration) {
    case '2_weeks':
      return after(now, 14 * day)
    case '1_month':
      return addMonths(now, 1)
    case '6_months':
      return addMonths(now, 6)
    case '1_year':
      return addMonths(now, 12)
  }
}

function addMonths(at: Date, months: number): Date {
  const end = new Date(at)
  end.setUTCMonth(at.getUTCMonth() + months)
  // 31 January and a month is "31 February", which overflows into March: day 0 of that month is the last of the one before.
  if (end.getUTCDate() !== at.getUTCDate()) end.setUTCDate(0)
  return end
}
