// A send time that was chosen for a draft and not used yet. A draft has no send time on the server, so this browser keeps it: a page that was
// left and opened again must not say "now" where somebody chose a time.
import { pageAddress } from '../../app/page-address'
import { keepHere } from '../../ui/keep'
import type { ScheduleDraft } from './schedule-draft'

const nameOf = (campaignId: string): string => `waxwing.schedule.${pageAddress.projectId}.${campaignId}`

export function keptSchedule(campaignId: string): ScheduleDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(campaignId)) ?? 'null')
    const { when, local, zone } = (kept ?? {}) as Partial<ScheduleDraft>
    return when === 'later' && typeof local === 'string' && typeof zone === 'string'
      ? { when, local, zone }
      : undefined
  } catch {
    return undefined
  }
}

/** "Now" needs no keeping. */
export function keepSchedule(campaignId: string, schedule: ScheduleDraft): void {
  if (schedule.when === 'later') keepHere(nameOf(campaignId), JSON.stringify(schedule))
  else clearSchedule(campaignId)
}

export function clearSchedule(campaignId: string): void {
  localStorage.removeItem(nameOf(campaignId))
}
