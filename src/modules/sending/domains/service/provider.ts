// The register of a provider that signs for us: domains are entered there when they are claimed, looked up when they are checked,
// and removed when nobody claims them any more.

import { AppError } from '../../../../lib/errors'
import { queuePerKey } from '../../../../lib/semaphore'
import type { Context } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { perContext } from '../../../../platform/per-context'
import type { SenderIdentity } from '../../../../platform/transports/transport'
import { domainKinds } from '../kinds'
import { isClaimed, saveTokens } from '../queries'
import type { DomainRow } from '../schema'

/** The provider answers few calls a second to all projects together: each has one under way at most, so that none fills the queue. */
const turns = perContext(() => queuePerKey<Requester>())

/** Who makes the provider answer: a project, or the walk through all domains. */
export type Requester = string

/** Undefined if we sign ourselves. */
export async function register(
  ctx: Context,
  requester: Requester,
  domain: string,
): Promise<SenderIdentity | undefined> {
  const { identities } = ctx.mail
  if (!identities) return undefined
  try {
    return await turns(ctx)(requester, () => identities.register(domain))
  } catch (cause) {
    throw new AppError(503, 'SERVICE_UNAVAILABLE', 'The mail provider did not register the domain', {
      cause,
      suggestion: 'Try again in a minute; `waxwing doctor` tells the operator what the provider says.',
    })
  }
}

/** What the provider says about a claim now; undefined when it does not answer. Tokens that changed are kept in `row` and its record. */
export async function lookUp(
  ctx: Context,
  requester: Requester,
  row: DomainRow,
): Promise<SenderIdentity | undefined> {
  try {
    const identity = await turns(ctx)(requester, () => current(ctx, row.domain))
    if (identity && differs(row, identity)) {
      const provided = { tokens: identity.tokens, zone: identity.zone, contested: !identity.isOurs }
      await saveTokens(ctx, row, provided)
      row.dkimTokens = identity.tokens
      row.dkimZone = identity.zone
      row.contested ||= provided.contested
    }
    return identity
  } catch (error) {
    ctx.log.warn(
      { domain: row.domain, error: String(error) },
      'the mail provider did not answer about a domain',
    )
    return undefined
  }
}

/** One that is missing is made again, and one that the provider has given up on is started again, for the next check. */
async function current(ctx: Context, domain: string): Promise<SenderIdentity | undefined> {
  const identities = ctx.mail.identities
  const found = await identities?.find(domain)
  if (found === undefined) return await identities?.register(domain)
  if (found.status === 'failed' && found.isOurs) await identities?.restart(domain)
  if (found.status === 'verified' && found.isOurs && found.forwardsBounces) await quieten(ctx, domain)
  return found
}

/** A convenience: the result says nothing about the domain. */
async function quieten(ctx: Context, domain: string): Promise<void> {
  await ctx.mail.identities?.stopForwarding(domain).catch((error: unknown) => {
    ctx.log.info({ domain, error: String(error) }, 'the mail provider goes on mailing bounces to the sender')
  })
}

function differs(row: DomainRow, { tokens, zone, isOurs }: SenderIdentity): boolean {
  return row.dkimZone !== zone || row.dkimTokens?.join() !== tokens.join() || (!isOurs && !row.contested)
}

/** To be called in the transaction that drops the claims. */
export async function releaseLater(tx: Context, domains: readonly string[]): Promise<void> {
  if (!tx.mail.identities) return
  await enqueueMany(
    tx,
    domainKinds.release,
    [...new Set(domains)].map(domain => ({ args: { domain }, uniqueKey: `domain.release:${domain}` })),
  )
}

/** A claim that comes while the name is being removed finds it missing at its next check, and enters it again. */
export async function releaseDomain(ctx: Context, domain: string): Promise<void> {
  if (await isClaimed(ctx, domain)) return
  await ctx.mail.identities?.remove(domain)
}
