// Creating, changing and deleting endpoints. An endpoint is registered as a listener for the names of events that it wants.
import { differing, isEmpty } from '../../../../lib/differing'
import { conflict, invalid, notFound } from '../../../../lib/errors'
import { recordedName } from '../../../../lib/event-names'
import { after, hour } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { type ProjectActor, recordAudit } from '../../../accounts/projects'
import { requireAwaitable, setListener } from '../../../audience/events'
import type { EndpointBody, EndpointChanges } from '../model'
import type { EndpointRow } from '../queries'
import * as queries from '../queries'

const purpose = 'webhook-secret'
const maxEndpoints = 20
const secretBytes = 32

interface WithSecret {
  endpoint: EndpointRow
  /** Returned only this once. */
  secret: string
}

export function newSecret(ctx: Context): { secret: string; secretSealed: string } {
  const secret = `whsec_${Buffer.from(ctx.random.bytes(secretBytes)).toString('base64')}`
  return { secret, secretSealed: ctx.vault.seal(purpose, secret) }
}

export function openSecret(ctx: Context, sealed: string): string {
  return ctx.vault.open(purpose, sealed)
}

export async function createEndpoint(
  ctx: Context,
  { projectId, by }: ProjectActor,
  { url, description = '', eventTypes, enabled = true }: EndpointBody,
): Promise<WithSecret> {
  refuseAddress(url)
  const { secret, secretSealed } = newSecret(ctx)
  return await inTransaction(ctx, async tx => {
    await requireNames(tx, projectId, eventTypes)
    if ((await queries.selectEndpoints(tx, projectId)).length >= maxEndpoints)
      throw conflict(`A project has at most ${maxEndpoints} endpoints`)
    const now = tx.clock.now()
    const endpoint = await queries.insertEndpoint(tx, {
      ...{
        id: newId(tx),
        projectId,
        url,
        description,
        eventTypes: recordedNames(eventTypes),
        enabled,
        secretSealed,
      },
      ...{ createdAt: now, updatedAt: now },
    })
    await setListener(tx, projectId, endpoint.id, enabled ? endpoint.eventTypes : [])
    await recordAudit(tx, { projectId, actor: by, action: 'webhook.added', subject: endpoint.id })
    return { endpoint, secret }
  })
}

/** An endpoint that is switched on again starts with a clean record. */
export async function changeEndpoint(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
  given: EndpointChanges,
): Promise<EndpointRow> {
  return await inTransaction(ctx, async tx => {
    const stored = await requireEndpoint(tx, projectId, id)
    const changes = differing(given, stored)
    if (isEmpty(changes)) return stored
    const { eventTypes } = changes
    if (changes.url !== undefined) refuseAddress(changes.url)
    const fresh = changes.enabled === true ? { disabledReason: null, failingSince: null } : {}
    if (eventTypes) await requireNames(tx, projectId, eventTypes)
    const named = eventTypes ? { eventTypes: recordedNames(eventTypes) } : {}
    const row = await queries.updateEndpoint(tx, projectId, id, { ...changes, ...named, ...fresh })
    if (!row) throw notFound('Webhook endpoint', id)
    await setListener(tx, projectId, id, row.enabled ? row.eventTypes : [])
    await recordAudit(tx, { projectId, actor: by, action: 'webhook.changed', subject: id })
    return row
  })
}

export async function removeEndpoint(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    if (!(await queries.deleteEndpoint(tx, projectId, id))) throw notFound('Webhook endpoint', id)
    await setListener(tx, projectId, id, [])
    await recordAudit(tx, { projectId, actor: by, action: 'webhook.removed', subject: id })
  })
}

/** The previous secret goes on signing beside the new one for that many hours. */
export async function rotateSecret(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
  overlapHours: number,
): Promise<WithSecret> {
  const { secret, secretSealed } = newSecret(ctx)
  return await inTransaction(ctx, async tx => {
    const before = await requireEndpoint(tx, projectId, id)
    const endpoint = await queries.updateEndpoint(tx, projectId, id, {
      secretSealed,
      previousSecretSealed: overlapHours > 0 ? before.secretSealed : null,
      previousUntil: overlapHours > 0 ? after(tx.clock.now(), overlapHours * hour) : null,
    })
    await recordAudit(tx, { projectId, actor: by, action: 'webhook.secretRotated', subject: id })
    return { endpoint: endpoint!, secret }
  })
}

export async function requireEndpoint(ctx: Context, projectId: string, id: string): Promise<EndpointRow> {
  const row = await queries.findEndpoint(ctx, projectId, id)
  if (!row) throw notFound('Webhook endpoint', id)
  return row
}

function recordedNames(eventTypes: readonly string[]): string[] {
  return [...new Set(eventTypes.map(recordedName))]
}

async function requireNames(tx: Context, projectId: string, eventTypes: readonly string[]): Promise<void> {
  await requireAwaitable(
    tx,
    projectId,
    eventTypes.map((name, index) => ({ name, field: `eventTypes.${index}` })),
  )
}

/** Where it leads is checked with each call, because that may change. */
function refuseAddress(url: string): void {
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !new URL(url).username
  if (!isAddress)
    throw invalid([
      {
        field: 'url',
        message: 'must be an http:// or https:// address without a password',
        code: 'invalid_string',
      },
    ])
}
