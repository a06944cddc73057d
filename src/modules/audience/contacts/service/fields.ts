// Single fields of contacts: the values they hold, who refers to them, and removing a custom field from every contact.

import { badRequest } from '../../../../lib/errors'
import { nilUuid } from '../../../../lib/ids'
import { after, second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { customFieldName, isStandardField } from '../fields'
import type { FieldReferences, NamedReference } from '../hooks'
import { fieldReferences } from '../hooks'
import { contactKinds } from '../kinds'
import {
  clearField,
  deleteFieldEntry,
  holdFieldRegistry,
  selectContactCounts,
  selectFieldCount,
  selectFieldValues,
} from '../queries'

export type FieldValue = string | number | boolean

/** Newest contacts that are asked for the values of a field. */
export const valueSample = 10_000

/**
 * Different values of a field, ascending: of the newest 10,000 contacts, so a value that only older ones have is not among them.
 * Names without the prefix `data.` are custom fields unless a standard one has the name.
 */
export async function listFieldValues(
  ctx: Context,
  projectId: string,
  field: string,
  limit: number,
): Promise<FieldValue[]> {
  if (isStandardField(field)) return field === 'subscribed' ? [true, false] : []
  return selectFieldValues(ctx, projectId, customFieldName(field), valueSample, limit)
}

export interface FieldUsage extends FieldReferences {
  /** Contacts that have the field. */
  contacts: number
  canDelete: boolean
}

export async function findFieldUsage(ctx: Context, projectId: string, field: string): Promise<FieldUsage> {
  const isStandard = isStandardField(field)
  const name = customFieldName(field)
  const [contacts, parts] = await Promise.all([
    isStandard
      ? selectContactCounts(ctx, projectId).then(counts => counts.contacts)
      : selectFieldCount(ctx, projectId, name),
    callHook(ctx, fieldReferences, { projectId, field: isStandard ? field : `data.${name}` }),
  ])
  const all = (kind: keyof FieldReferences): NamedReference[] => parts.flatMap(part => part[kind] ?? [])
  const references = { segments: all('segments'), campaigns: all('campaigns'), workflows: all('workflows') }
  const isUsed = Object.values(references).some(list => list.length > 0)
  return { ...references, contacts, canDelete: !isStandard && !isUsed }
}

/** How long a request works at it before it leaves the rest to the job. */
const ownTimeMs = 20 * second

/**
 * Removes a custom field from every contact and forgets its type; returns how many contacts had it. Nobody's conditions are
 * touched: they stop matching. The job is there before the first contact is changed, so all of it is done, whatever stops this.
 */
export async function deleteField(ctx: Context, projectId: string, field: string): Promise<number> {
  if (!field.startsWith('data.') || field === 'data.')
    throw badRequest('Only custom fields can be deleted; their names begin with "data."')
  const name = customFieldName(field)
  const { known, until } = await inTransaction(ctx, async tx => {
    const newest = await holdFieldRegistry(tx, projectId)
    await deleteFieldEntry(tx, projectId, name, tx.clock.now())
    const having = await selectFieldCount(tx, projectId, name)
    if (having > 0)
      await enqueue(
        tx,
        contactKinds.clearField,
        { field: name, until: newest },
        {
          projectId,
          runAt: after(tx.clock.now(), ownTimeMs * 2),
        },
      )
    return { known: having, until: newest }
  })
  if (known === 0) return 0
  const { cleared, isDone } = await clearFieldUntil(ctx, projectId, name, until, endsAfter(ctx, ownTimeMs))
  return isDone ? cleared : Math.max(known, cleared)
}

/** Finishes the deletion of a field. */
export async function finishFieldDeletion(
  ctx: Context,
  projectId: string,
  name: string,
  until: string,
  signal: AbortSignal,
): Promise<number> {
  const { cleared } = await clearFieldUntil(ctx, projectId, name, until, () => signal.aborted)
  signal.throwIfAborted()
  return cleared
}

const pageSize = 5_000
/** Goes through the contacts up to `until`; ends early when `isOver` says so, or when no contact has the field. */
async function clearFieldUntil(
  ctx: Context,
  projectId: string,
  name: string,
  until: string,
  isOver: () => boolean,
): Promise<{ cleared: number; isDone: boolean }> {
  let cleared = 0
  let position: string | null = nilUuid
  while (position !== null) {
    if ((await selectFieldCount(ctx, projectId, name)) === 0) break
    if (isOver()) return { cleared, isDone: false }
    const range: { after: string; until: string; limit: number } = { after: position, until, limit: pageSize }
    const page = await clearField(ctx, projectId, name, range, ctx.clock.now())
    cleared += page.cleared
    position = page.last
  }
  return { cleared, isDone: true }
}

function endsAfter(ctx: Context, ms: number): () => boolean {
  const end = after(ctx.clock.now(), ms)
  return () => ctx.clock.now() >= end
}
