// A new signing key without a gap: it signs from the moment at which the DNS has it, and not before, and the record of the old one stays
// until what it signed has arrived everywhere (RFC 6376, section 3.1: selectors are made for this).
import { type AppError, conflict, notFound } from '../../../../lib/errors'
import { after, day } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { staysHere } from '../../../../platform/transports/relay-hosts'
import { type ProjectActor, recordAudit } from '../../../accounts/projects'
import { dkimStatus } from '../check'
import { makeKeyPair } from '../key'
import { type Signer, type SigningKeys, signsBeside, toSigningKeys } from '../model'
import { verifiesAtOnce } from '../names'
import {
  deleteNextKey,
  deletePreviousKeys,
  findDomain,
  findRotation,
  insertNextKey,
  type NextKey,
  selectNextKeys,
  setRelaySigns,
  switchKeys,
} from '../queries'
import { dkimName, nextSelector } from '../records'
import type { DomainRow } from '../schema'

/** For how long the page shows a replaced key. */
const previousKeyLifeMs = 30 * day

export async function signingKeys(ctx: Context, projectId: string, id: string): Promise<SigningKeys> {
  return await keysOf(ctx, await requireDomain(ctx, projectId, id))
}

async function keysOf(ctx: Context, row: DomainRow): Promise<SigningKeys> {
  return toSigningKeys(row, await findRotation(ctx, row.id))
}

/**
 * Makes the next key and returns its record. Where one waits already, that one is returned: whoever asks twice has one record to publish.
 */
export async function rotateKey(ctx: Context, actor: ProjectActor, id: string): Promise<SigningKeys> {
  const row = await requireOwnKey(ctx, actor.projectId, id)
  const rotation = await findRotation(ctx, id)
  if (rotation && rotation.switchedAt === null) return toSigningKeys(row, rotation)
  const { publicKey, privateKey } = await makeKeyPair()
  const selector = nextSelector(row.selector)
  await inTransaction(ctx, async tx => {
    const next = { selector, publicKey, privateKey: ctx.vault.seal('dkim', privateKey) }
    if (!(await insertNextKey(tx, row, next))) return
    const details = { selector }
    await recordAudit(tx, {
      projectId: actor.projectId,
      actor: actor.by,
      action: 'domain.keyRotated',
      subject: row.domain,
      details,
    })
  })
  return await signingKeys(ctx, actor.projectId, id)
}

/** Sets whether mail from the domain is signed here or by the relay, which then has a key of its own in the DNS. */
export async function chooseSigner(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  signedBy: Signer,
): Promise<SigningKeys> {
  const { projectId, by } = actor
  const { domain } = await requireOwnKey(ctx, projectId, id)
  await inTransaction(ctx, async tx => {
    if (!(await setRelaySigns(tx, id, signedBy === 'relay'))) return
    const entry = { action: 'domain.signerChanged', subject: domain, details: { signedBy } } as const
    await recordAudit(tx, { projectId, actor: by, ...entry })
  })
  return await signingKeys(ctx, projectId, id)
}

/** The key that waits is given up; the current one goes on signing. */
export async function cancelRotation(ctx: Context, actor: ProjectActor, id: string): Promise<SigningKeys> {
  const row = await requireDomain(ctx, actor.projectId, id)
  await deleteNextKey(ctx, row.id)
  return await keysOf(ctx, row)
}

/**
 * Looks for the record of the key that waits, and lets it sign where it stands. Returns the domain as it is then. A query without an
 * answer changes nothing.
 */
export async function adoptNextKey(
  ctx: Context,
  row: DomainRow,
  next: NextKey | undefined,
): Promise<DomainRow> {
  if (next === undefined) return row
  const answer = await ctx.dns.txt(dkimName({ domain: row.domain, selector: next.selector }))
  if (dkimStatus(answer, next.publicKey) !== 'verified' || !(await switchKeys(ctx, next))) return row
  ctx.log.info({ domain: row.domain, projectId: row.projectId, selector: next.selector }, 'a new key signs')
  return (await findDomain(ctx, row.projectId, row.id)) ?? row
}

/** By the id of their domain. */
export async function nextKeysOf(ctx: Context, rows: readonly DomainRow[]): Promise<Map<string, NextKey>> {
  const keys = await selectNextKeys(
    ctx,
    rows.map(({ id }) => id),
  )
  return new Map(keys.map(key => [key.domainId, key]))
}

export async function prunePreviousKeys(ctx: Context): Promise<void> {
  await deletePreviousKeys(ctx, after(ctx.clock.now(), -previousKeyLifeMs))
}

async function requireDomain(ctx: Context, projectId: string, id: string): Promise<DomainRow> {
  const row = await findDomain(ctx, projectId, id)
  if (row === undefined) throw notFound('Domain', id)
  return row
}

/** A domain whose mail is, or could be, signed with its own key. */
async function requireOwnKey(ctx: Context, projectId: string, id: string): Promise<DomainRow> {
  const row = await requireDomain(ctx, projectId, id)
  if (ctx.mail.identities && !signsBeside(ctx.config)) throw signedElsewhere()
  if (verifiesAtOnce(row.domain, staysHere(ctx.config))) throw needsNoKey(row.domain)
  return row
}

function signedElsewhere(): AppError {
  return conflict('Amazon SES signs the mail of this domain and replaces its keys by itself', {
    suggestion: 'There is nothing to do. Keys of your own are used with a relay or sendmail.',
  })
}

function needsNoKey(domain: string): AppError {
  return conflict(`Domain ${domain} is for trying things out, and its mail never leaves this machine`, {
    suggestion: 'Add a domain of your own; its key can be replaced.',
  })
}
