// Who followed which link of a campaign, as rows to add. Pure.
import type { ReducedMail } from '../../sending/feedback'

export interface Click {
  projectId: string
  campaignId: string
  contactId: string
  link: string
  ownClicks: number
  providerClicks: number
  firstAt: Date
}

/** One row per contact and link, however often it was followed. */
export function clicksOf(reduced: readonly ReducedMail[]): Click[] {
  const clicks = new Map<string, Click>()
  for (const { mail, followed } of reduced) {
    const { projectId, campaignId, contactId } = mail
    if (!campaignId) continue
    for (const { link, at, source } of followed) {
      const key = `${campaignId} ${contactId} ${link}`
      const known = clicks.get(key)
      const click = known ?? {
        projectId,
        campaignId,
        contactId,
        link,
        ownClicks: 0,
        providerClicks: 0,
        firstAt: at,
      }
      click[source === 'own' ? 'ownClicks' : 'providerClicks'] += 1
      if (at < click.firstAt) click.firstAt = at
      clicks.set(key, click)
    }
  }
  return [...clicks.values()]
}
