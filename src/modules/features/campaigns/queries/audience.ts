// Which contacts a campaign is meant for, as a condition on their rows.

import { and, count, eq, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { contacts } from '../../../audience/contacts'
import type { CampaignRow } from './campaigns'

/** The audience as it is stored. */
export type Audience = Pick<
  CampaignRow,
  'projectId' | 'type' | 'audienceType' | 'segmentId' | 'audienceCondition' | 'topicId'
>

/** Which contacts of a project belong to the audience. */
export interface AudienceQuery {
  projectId: string
  subscribedOnly: boolean
  /** A condition on the contacts' row, under the name of its table; undefined for everybody. */
  condition: SQL | undefined
}

export function isMeant({ projectId, subscribedOnly, condition }: AudienceQuery): SQL | undefined {
  return and(
    eq(contacts.projectId, projectId),
    subscribedOnly ? eq(contacts.subscribed, true) : undefined,
    condition,
  )
}

export async function countAudience(ctx: Context, audience: AudienceQuery): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(contacts).where(isMeant(audience))
  return row?.total ?? 0
}
