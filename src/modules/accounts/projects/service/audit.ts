// The audit log. An entry is written in the transaction of the change that it records, so neither is ever there without the other.
import { decodeCursor } from '../../../../lib/cursor'
import { minute } from '../../../../lib/time'
import { type Context, newId } from '../../../../platform/context'
import { type AuditAction, type AuditDetails, boundedDetails, boundedSubject } from '../audit'
import { type AuditRow, countAuditLog, insertAuditEntry, pageOfAuditLog, renameRecentEntry } from '../queries'
import type { ProjectActor } from './settings'

export interface AuditEntry {
  projectId: string
  /** `by` of the ProjectActor, or `systemActor`. */
  actor: string
  action: AuditAction
  /** The id, name or address that the change was about. */
  subject?: string
  /** What changed, in plain values. Never a key, a secret or a token. */
  details?: AuditDetails
}

/** Notes a change; `tx` is the transaction that makes it. */
export async function recordAudit(
  tx: Context,
  { projectId, actor, action, subject, details }: AuditEntry,
): Promise<void> {
  await insertAuditEntry(tx, {
    id: newId(tx),
    projectId,
    actor,
    action,
    subject: subject === undefined ? null : boundedSubject(subject),
    details: details === undefined ? null : boundedDetails(details),
    createdAt: tx.clock.now(),
  })
}

/** As long as somebody works on something: what they change of it within this time is one entry. */
const sittingMs = 10 * minute

/**
 * Notes a change of something that stores itself while somebody works on it, with its `id` in the details. Only the first is an entry, as
 * long as the same actor leaves the details as they are; its subject follows.
 */
export async function recordEdit(
  tx: Context,
  entry: AuditEntry & { subject: string; details: AuditDetails & { id: string } },
): Promise<void> {
  const since = new Date(tx.clock.now().getTime() - sittingMs)
  const details = boundedDetails(entry.details)
  const isKnown = await renameRecentEntry(tx, {
    ...entry,
    ...{ details, id: entry.details.id, subject: boundedSubject(entry.subject), since },
  })
  if (!isKnown) await recordAudit(tx, entry)
}

export interface AuditPage {
  /** One row more than `limit` where there are more. */
  rows: AuditRow[]
  total: number
}

/** Newest first, for administrators. `total` is counted on the first page only. */
export async function listAuditLog(
  ctx: Context,
  actor: ProjectActor,
  query: { limit: number; cursor?: string; action?: AuditAction },
): Promise<AuditPage> {
  const { action } = query
  const before = decodeCursor(query.cursor)?.id
  const rows = await pageOfAuditLog(ctx, actor.projectId, { action, before }, query.limit + 1)
  return { rows, total: before ? 0 : await countAuditLog(ctx, actor.projectId, { action }) }
}
