// Looks at domains without writing anything: what the DNS says now, for `waxwing doctor`.
import type { Context } from '../../../../platform/context'
import { type DomainAnswer, sendingSetupOf, toDomainAnswer } from '../model'
import { pageOfDomains } from '../queries'
import { type DomainHealth, examineHealth } from './health'
import { examineDomain } from './verification'

export interface InspectedDomain {
  id: string
  /** With the records as they are now. */
  now: DomainAnswer
  /** Whether mail in its name leaves at present, by what was last written. */
  wasVerified: boolean
  /** False when no name server answered. */
  known: boolean
  /** What receivers make of its mail. */
  health: DomainHealth
}

/** One page of all projects' domains, those past `afterId`, by id. */
export async function inspectDomains(
  ctx: Context,
  afterId: string | undefined,
  limit: number,
): Promise<InspectedDomain[]> {
  const rows = await pageOfDomains(ctx, afterId, limit)
  return await Promise.all(
    rows.map(async row => {
      const [{ statuses, verified, sandbox, known }, health] = await Promise.all([
        examineDomain(ctx, row),
        examineHealth(ctx, row),
      ])
      const seen = {
        ...row,
        verified,
        sandbox,
        dkimStatus: statuses.dkim,
        spfStatus: statuses.spf,
        dmarcStatus: statuses.dmarc,
      }
      return {
        id: row.id,
        now: toDomainAnswer(seen, sendingSetupOf(ctx.config)),
        wasVerified: row.verified,
        known,
        health,
      }
    }),
  )
}
