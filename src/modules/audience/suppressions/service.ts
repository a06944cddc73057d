// The list of addresses that get nothing more: reading it, adding to it by hand, and removing an address.

import { isEmail, normaliseEmail } from '../../../lib/address'
import { csvLine, guardCell } from '../../../lib/csv'
import { badRequest, notFound } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import { type ProjectActor, recordAudit } from '../../accounts/projects'
import { exportColumns } from './model'
import {
  addSuppressions,
  countSuppressions,
  deleteErased,
  deleteSuppression,
  insertErased,
  insertSuppressions,
  type NewSuppression,
  pageOfSuppressions,
  respellSuppression,
  type SuppressionFilter,
  type SuppressionRow,
  selectStraySuppressions,
} from './queries'

export { insertSuppressions } from './queries'

export interface SuppressionPage {
  /** One row more than `limit` where there are more. */
  rows: SuppressionRow[]
  total: number
}

/** Newest first; `total` is counted on the first page only. */
export async function listSuppressions(
  ctx: Context,
  projectId: string,
  filter: SuppressionFilter,
  after: { createdAt: Date; email: string } | undefined,
  limit: number,
): Promise<SuppressionPage> {
  const rows = await pageOfSuppressions(ctx, projectId, filter, after, limit + 1)
  return { rows, total: after ? 0 : await countSuppressions(ctx, projectId, filter) }
}

const exportPage = 1_000

/** The lines of a CSV file, a page at a time, newest first. */
export async function* exportSuppressions(ctx: Context, projectId: string): AsyncGenerator<string> {
  yield csvLine(exportColumns)
  const all = { reason: null, email: null, search: null }
  let after: SuppressionRow | undefined
  do {
    const rows: SuppressionRow[] = await pageOfSuppressions(ctx, projectId, all, after, exportPage)
    yield rows.map(lineOf).join('')
    after = rows.length === exportPage ? rows.at(-1) : undefined
  } while (after)
}

/** The other side's reply is guarded against being taken for a formula. */
function lineOf({ email, reason, source, createdAt }: SuppressionRow): string {
  return csvLine([email, reason, source, createdAt.toISOString()].map(guardCell))
}

/** Adds addresses; one that is there already keeps its reason. Contacts keep their subscription: they did not ask for this. */
export async function suppressAddresses(
  ctx: Context,
  { projectId, by }: ProjectActor,
  emails: readonly string[],
  note: string,
): Promise<{ added: number; existing: number }> {
  const wanted = [...new Set(emails.map(normaliseEmail))]
  return inTransaction(ctx, async tx => {
    const added = await addSuppressions(tx, projectId, wanted, note)
    const details = { count: added.length, first: added[0] ?? null }
    if (added.length > 0)
      await recordAudit(tx, { projectId, actor: by, action: 'suppression.added', details })
    return { added: added.length, existing: wanted.length - added.length }
  })
}

/** Mail may go to the address again. Its contact stays unsubscribed: changing that is up to the recipient. */
export async function liftSuppression(
  ctx: Context,
  { projectId, by }: ProjectActor,
  address: string,
): Promise<void> {
  // No address contains these, and the database could not compare them.
  if (address.includes('\0') || !address.isWellFormed()) throw badRequest('The address is not valid')
  const email = normaliseEmail(address)
  await inTransaction(ctx, async tx => {
    const listed = await deleteSuppression(tx, projectId, email)
    const wasErased = await deleteErased(tx, projectId, email)
    const reason = listed ?? (wasErased ? 'erased' : undefined)
    if (reason === undefined) throw notFound('Suppression', email)
    const entry = { action: 'suppression.removed', subject: email, details: { reason } } as const
    await recordAudit(tx, { projectId, actor: by, ...entry })
  })
}

/** Keeps an address that was erased from getting mail, without its being readable anywhere. */
export async function suppressErased(tx: Context, projectId: string, email: string): Promise<void> {
  await deleteSuppression(tx, projectId, email)
  await insertErased(tx, projectId, email)
}

/** Addresses that a file calls bounced, complained or blocked, by the word that says so. */
export async function suppressImported(
  tx: Context,
  { projectId, addresses }: { projectId: string; addresses: readonly ImportedSuppression[] },
): Promise<void> {
  const rows = addresses.map(({ email, reason, word }) => ({
    ...{ projectId, email, reason, emailId: null },
    source: `import: ${word.slice(0, 40)}`,
  }))
  await insertSuppressions(tx, rows)
}

interface ImportedSuppression extends Pick<NewSuppression, 'email' | 'reason'> {
  word: string
}

const strayPage = 500

/** Gives what older data has the one spelling of its address; done again, it finds nothing left to do. Returns how many have another now. */
export async function respellSuppressions(ctx: Context): Promise<number> {
  let count = 0
  for (let after = { projectId: '00000000-0000-0000-0000-000000000000', email: '' }; ; ) {
    const strays = await selectStraySuppressions(ctx, after, strayPage)
    for (const { projectId, email } of strays) {
      const spelled = normaliseEmail(email)
      if (spelled === email || !isEmail(spelled)) continue
      await respellSuppression(ctx, projectId, email, spelled)
      count++
    }
    if (strays.length < strayPage) return count
    after = strays.at(-1)!
  }
}
