// When a campaign is sent, as it is typed. It belongs to sending and not to what is saved on the server: only Send and Schedule act on it, and
// the browser keeps it until then (kept-schedule.ts). A time that is not complete is never "now". Pure.
import { t } from '../../texts'
import { unfinished } from '../../ui/typed'
import { localIn, momentIn, ownZone } from '../../ui/zone'

export interface ScheduleDraft {
  when: 'now' | 'later'
  /** In the format of the browser's own field. */
  local: string
  zone: string
}

const hourMs = 3_600_000

export function readSchedule(scheduledFor: string | null, now: number): ScheduleDraft {
  return {
    when: scheduledFor ? 'later' : 'now',
    local: localIn(ownZone, scheduledFor ? new Date(scheduledFor) : new Date(now + hourMs)),
    zone: ownZone,
  }
}

/** The moment that is chosen: undefined for now, and for one that is not complete. */
export function momentOf({ when, local, zone }: ScheduleDraft): Date | undefined {
  return when === 'now' || local === unfinished ? undefined : momentIn(zone, local)
}

export function scheduleFaults(schedule: ScheduleDraft, now: number): Record<string, string> {
  if (schedule.when === 'now') return {}
  const at = momentOf(schedule)
  if (!at) return { scheduledFor: t.campaigns.missing.moment }
  return at.getTime() <= now ? { scheduledFor: t.campaigns.missing.passed } : {}
}
