// Proving a claim: asks the DNS, judges the answers, and stores the result. The index on verified claims, not a look-up, decides between
// projects that prove the same name.
import { type AppError, forbidden, notFound } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { violates } from '../../../../platform/db/errors'
import { staysHere } from '../../../../platform/transports/relay-hosts'
import { checkRecords, type TxtAnswers } from '../check'
import { sendingSetupOf, toVerifyAnswer, type VerifyAnswer } from '../model'
import { verifiesAtOnce } from '../names'
import { checkProvided } from '../provided'
import { type DomainState, findDomain, pageOfDomains, storeDomainState, touchChecked } from '../queries'
import { dkimName, dmarcName, inheritedDmarcName } from '../records'
import type { DomainRow } from '../schema'
import { lookUp, type Requester } from './provider'
import { adoptNextKey, nextKeysOf } from './rotation'

/** Three questions each, and each may wait for the time limits of every server: a page stays well within a job's time. */
const pageSize = 60
const lanes = 12

interface ExaminedDomain extends DomainState {
  /** False when no name server answered. */
  known: boolean
}

interface Settled {
  /** Undefined when the claim was dropped meanwhile. */
  row: DomainRow | undefined
  heldByAnother: boolean
}

/** Asks the DNS now. 403 when the proof is there but another project holds the name. */
export async function verifyDomain(ctx: Context, projectId: string, id: string): Promise<VerifyAnswer> {
  const found = await findDomain(ctx, projectId, id)
  if (found === undefined) throw notFound('Domain', id)
  const row = await adoptNextKey(ctx, found, (await nextKeysOf(ctx, [found])).get(id))
  const judgement = await examineDomain(ctx, row)
  const settled = await settle(ctx, row, judgement)
  if (settled.heldByAnother) throw heldByAnother(row.domain)
  if (settled.row === undefined) throw notFound('Domain', id)
  return toVerifyAnswer(settled.row, judgement.known, sendingSetupOf(ctx.config))
}

/**
 * Checks one page of all projects' domains, those past `afterId`. Returns the id to go on from, or undefined after the last
 * page. What was settled before `signal` aborts stays settled.
 */
export async function checkDomains(
  ctx: Context,
  afterId: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const rows = await pageOfDomains(ctx, afterId, pageSize)
  const nextKeys = await nextKeysOf(ctx, rows)
  const waiting = [...rows]
  const unchanged: string[] = []
  const lane = async (): Promise<void> => {
    for (let found = waiting.shift(); found !== undefined; found = waiting.shift()) {
      signal?.throwIfAborted()
      const row = await adoptNextKey(ctx, found, nextKeys.get(found.id))
      const judgement = await examineDomain(ctx, row, 'walk')
      if (isUnchanged(row, judgement)) unchanged.push(row.id)
      else logSettled(ctx, row, await settle(ctx, row, judgement))
    }
  }
  // Every lane ends before the job does, even when one fails: nothing goes on after its outcome is known.
  const stop = (error: unknown): never => {
    waiting.length = 0
    throw error
  }
  const ends = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(stop)))
  await touchChecked(ctx, unchanged)
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
  return rows.length < pageSize ? undefined : rows.at(-1)!.id
}

/** `requester`: whose turn at the provider it is. */
export async function examineDomain(
  ctx: Context,
  row: DomainRow,
  requester: Requester = row.projectId,
): Promise<ExaminedDomain> {
  const statuses = { dkim: row.dkimStatus, spf: row.spfStatus, dmarc: row.dmarcStatus }
  if (verifiesAtOnce(row.domain, staysHere(ctx.config))) {
    return { verified: true, sandbox: true, statuses, known: true }
  }
  // What the sandbox granted is not proof, not even while no server answers.
  const before = { verified: row.verified && !row.sandbox, statuses }
  if (!ctx.mail.identities)
    return { ...checkRecords(await ask(ctx, row), row.publicKey, before), sandbox: false }
  const [answers, identity] = await Promise.all([ask(ctx, row), lookUp(ctx, requester, row)])
  return { ...checkProvided(answers, row, identity, before), sandbox: false }
}

async function ask(ctx: Context, row: DomainRow): Promise<TxtAnswers> {
  const [dkim, spf, dmarc] = await Promise.all([
    ctx.dns.txt(dkimName(row)),
    ctx.dns.txt(row.domain),
    askDmarc(ctx, row.domain),
  ])
  return { dkim, spf, dmarc }
}

async function askDmarc(ctx: Context, domain: string): Promise<TxtAnswers['dmarc']> {
  const own = await ctx.dns.txt(dmarcName(domain))
  const inherited = inheritedDmarcName(domain)
  if (inherited === undefined) return [own]
  return [own, await ctx.dns.txt(inherited)]
}

function isUnchanged(row: DomainRow, { verified, sandbox, statuses }: DomainState): boolean {
  return (
    row.verified === verified &&
    row.sandbox === sandbox &&
    row.dkimStatus === statuses.dkim &&
    row.spfStatus === statuses.spf &&
    row.dmarcStatus === statuses.dmarc
  )
}

/** Writes the finding; when another project holds the name, everything but the verification. */
async function settle(ctx: Context, row: DomainRow, finding: DomainState): Promise<Settled> {
  try {
    return { row: await write(ctx, row, finding), heldByAnother: false }
  } catch (error) {
    if (!violates(error, 'domains_holder')) throw error
    return { row: await write(ctx, row, { ...finding, verified: false }), heldByAnother: true }
  }
}

/** A check that wrote meanwhile knows better than this one. */
async function write(ctx: Context, row: DomainRow, finding: DomainState): Promise<DomainRow | undefined> {
  return (await storeDomainState(ctx, row, finding)) ?? (await findDomain(ctx, row.projectId, row.id))
}

function logSettled(ctx: Context, before: DomainRow, { row, heldByAnother }: Settled): void {
  if (row === undefined || row.verified === before.verified) return
  const { domain, projectId, verified } = row
  ctx.log.info({ domain, projectId, verified, heldByAnother }, 'the verification of a domain changed')
}

export function heldByAnother(domain: string): AppError {
  return forbidden('FORBIDDEN', `Domain ${domain} is verified in another project`, {
    suggestion:
      'Remove the domain from the other project, or take its DKIM record out of the DNS, then try again.',
  })
}
