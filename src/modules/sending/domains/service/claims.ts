// Claiming and dropping a name, and what a project sees of its names.

import { canonicalDomain } from '../../../../lib/domain-name'
import { type AppError, badRequest, conflict, forbidden, invalid, notFound } from '../../../../lib/errors'
import { after, day } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { staysHere } from '../../../../platform/transports/relay-hosts'
import type { SenderIdentity } from '../../../../platform/transports/transport'
import { type ProjectActor, recordAudit } from '../../../accounts/projects'
import { makeKeyPair } from '../key'
import { type AddBody, type DomainAnswer, sendingSetupOf, signsBeside, toDomainAnswer } from '../model'
import { sandboxNameFor, spellings, verifiesAtOnce } from '../names'
import {
  contest,
  deleteDomainsOf,
  deletePendingSince,
  deleteUnused,
  findDomain,
  hasDomain,
  insertDomain,
  isBarred,
  isHeldByAnother,
  selectDomains as listRows,
  lockName,
  maxDomainsPerProject,
} from '../queries'
import { dkimSelector, nothingKnown, organisationOf } from '../records'
import type { DomainRow } from '../schema'
import { register, releaseLater } from './provider'
import { heldByAnother } from './verification'

const pendingClaimLifeMs = 30 * day

/** The project's domains, newest first. `asked` is the project that the path names: any other than the caller's own is 404. */
export async function listDomains(
  ctx: Context,
  projectId: string,
  asked = projectId,
): Promise<DomainAnswer[]> {
  requireOwn(projectId, asked)
  const setup = sendingSetupOf(ctx.config)
  return (await listRows(ctx, projectId)).map(row => toDomainAnswer(row, setup))
}

/** Claims a name for the project. Others may claim it too; who proves it first holds it. */
export async function addDomain(ctx: Context, actor: ProjectActor, body: AddBody): Promise<DomainAnswer> {
  const { projectId } = actor
  const domain = canonicalDomain(body.domain)
  if (domain === undefined) throw noDomain(body.domain)
  requireOwn(projectId, body.projectId ?? projectId)
  if (await hasDomain(ctx, projectId, domain)) throw alreadyThere(domain)
  if (await isHeldByAnother(ctx, projectId, domain)) throw heldByAnother(domain)
  if (await isBarred(ctx, projectId, organisationOf(domain))) throw barred(domain)
  const identity = await register(ctx, projectId, domain)
  const claim = await newRow(ctx, projectId, domain, identity)
  const row = await inTransaction(ctx, async tx => {
    await lockName(tx, domain)
    const contested = (await contest(tx, projectId, domain)) || claim.contested
    const added = await insertDomain(tx, { ...claim, contested })
    if (added) await recordAudit(tx, { projectId, actor: actor.by, action: 'domain.added', subject: domain })
    return added
  })
  if (row === undefined) throw (await hasDomain(ctx, projectId, domain)) ? alreadyThere(domain) : noRoom()
  return toDomainAnswer(row, sendingSetupOf(ctx.config))
}

/** Where mail never leaves the machine, a new project starts with a domain that needs no DNS. */
export async function addSandboxDomain(ctx: Context, project: { id: string; name: string }): Promise<void> {
  const domain = sandboxNameFor(project.name)
  if (!verifiesAtOnce(domain, staysHere(ctx.config))) return
  await insertDomain(ctx, await newRow(ctx, project.id, domain))
}

export async function deleteDomain(ctx: Context, actor: ProjectActor, id: string): Promise<void> {
  const row = await findDomain(ctx, actor.projectId, id)
  if (row === undefined) throw notFound('Domain', id)
  if (await dropUnused(ctx, actor, row)) return
  if ((await findDomain(ctx, actor.projectId, id)) === undefined) throw notFound('Domain', id)
  throw conflict(`Domain ${row.domain} is used as sender by a template or an unfinished campaign`, {
    suggestion: 'Change the sender of what uses this domain, or delete it, then try again.',
  })
}

async function dropUnused(ctx: Context, { projectId, by }: ProjectActor, row: DomainRow): Promise<boolean> {
  return await inTransaction(ctx, async tx => {
    const isGone = await deleteUnused(tx, projectId, row.id, spellings(row.domain))
    if (isGone) await releaseLater(tx, [row.domain])
    if (isGone) await recordAudit(tx, { projectId, actor: by, action: 'domain.removed', subject: row.domain })
    return isGone
  })
}

/** Drops the claims that nobody proved within 30 days. Returns how many. */
export async function dropStaleClaims(ctx: Context): Promise<number> {
  return await inTransaction(ctx, async tx => {
    const dropped = await deletePendingSince(tx, after(tx.clock.now(), -pendingClaimLifeMs))
    await releaseLater(tx, dropped)
    return dropped.length
  })
}

/** A deleted project releases its names at once, in the transaction that closes it. */
export async function dropDomainsOf(tx: Context, projectId: string): Promise<void> {
  await releaseLater(tx, await deleteDomainsOf(tx, projectId))
}

function requireOwn(projectId: string, asked: string): void {
  if (asked.toLowerCase() !== projectId) throw notFound('Project', asked)
}

async function newRow(
  ctx: Context,
  projectId: string,
  domain: string,
  identity?: SenderIdentity,
): Promise<DomainRow> {
  const { publicKey, privateKey } = await makeKeyPair()
  const now = ctx.clock.now()
  const sandbox = verifiesAtOnce(domain, staysHere(ctx.config))
  return {
    id: newId(ctx),
    projectId,
    domain,
    verified: sandbox,
    sandbox,
    selector: dkimSelector,
    publicKey,
    privateKey: ctx.vault.seal('dkim', privateKey),
    relaySigns: false,
    dkimTokens: identity?.tokens ?? null,
    dkimZone: identity?.zone ?? null,
    // A new domain proves both keys, where both sign.
    contested: identity !== undefined && (!identity.isOurs || signsBeside(ctx.config)),
    dkimStatus: nothingKnown.dkim,
    spfStatus: nothingKnown.spf,
    dmarcStatus: nothingKnown.dmarc,
    pendingSince: sandbox ? null : now,
    checkedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function noDomain(received: string): AppError {
  const message = 'Must be a domain name such as mail.example.com'
  return invalid([{ field: 'domain', message, code: 'invalid_string', received }])
}

function barred(domain: string): AppError {
  return forbidden('FORBIDDEN', `Domain ${domain} belongs to a project that is disabled`, {
    suggestion: 'Ask the operator of this instance to enable that project again.',
  })
}

function alreadyThere(domain: string): AppError {
  return badRequest(`Domain ${domain} is already in this project`)
}

function noRoom(): AppError {
  return badRequest(`A project has at most ${maxDomainsPerProject} domains`)
}
