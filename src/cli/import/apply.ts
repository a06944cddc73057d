// Applies the records of a source in batches, each of them one transaction: contacts by the rules of every other way in, suppressions,
// and members of static segments. A dry run does the very same and takes each transaction back, so that its report is the real one.
// Nothing is remembered between runs: applying a record a second time changes nothing.
import { isEmail, normaliseEmail } from '../../lib/address'
import { AppError } from '../../lib/errors'
import { coerce } from '../../modules/contacts/import-rows'
import { type DataPatch, parsePatch } from '../../modules/contacts/patch'
import { selectBooleanFields } from '../../modules/contacts/queries'
import { type UpsertedContact, upsertContacts } from '../../modules/contacts/service'
import { addMembers } from '../../modules/segments/service'
import { insertSuppressions } from '../../modules/suppressions/service'
import { type Context, inTransaction } from '../../platform/context'
import type { PeerRecord, Source, SourceRecord } from './record'
import { type Report, refuse } from './report'
import type { Segments } from './segments'

export interface Application {
  projectId: string
  isDryRun: boolean
  /** Names of static segments that a record's contact joins. */
  segmentsOf(record: PeerRecord): string[]
  segments: Segments
  report: Report
  onBatch(report: Report): void
}

const batchSize = 500

export async function applySource(ctx: Context, source: Source, application: Application): Promise<void> {
  // Hashes of addresses: 53 bits, a few dozen bytes each, so that millions fit.
  const seen = new Set<number>()
  let batch: SourceRecord[] = []
  const apply = async (): Promise<void> => {
    await applyBatch(ctx, application, seen, batch)
    application.onBatch(application.report)
    batch = []
  }
  for await (const record of source.records) {
    application.report.read++
    if (batch.push(record) >= batchSize) await apply()
  }
  if (batch.length > 0) await apply()
}

interface Readable {
  record: PeerRecord
  email: string
  patch: DataPatch
}

async function applyBatch(
  ctx: Context,
  application: Application,
  seen: Set<number>,
  batch: readonly SourceRecord[],
): Promise<void> {
  const { projectId, report } = application
  const names = new Set(batch.flatMap(record => ('texts' in record ? Object.keys(record.texts) : [])))
  const booleans = await selectBooleanFields(ctx, projectId, [...names])
  const readable = batch.flatMap(record => {
    const read = readRecord(record, name => booleans.has(name))
    if ('patch' in read) return [read]
    refuse(report, record, read.fault)
    return []
  })
  for (const wave of wavesOf(readable)) await applyRecords(ctx, application, seen, wave)
}

/** No address twice in a wave: each record's outcome is then its own. */
function wavesOf(records: readonly Readable[]): Readable[][] {
  const waves: Array<Map<string, Readable>> = []
  for (const record of records) {
    const free = waves.find(wave => !wave.has(record.email))
    if (free) free.set(record.email, record)
    else waves.push(new Map([[record.email, record]]))
  }
  return waves.map(wave => [...wave.values()])
}

function readRecord(
  record: SourceRecord,
  isBoolean: (name: string) => boolean,
): Readable | { fault: string } {
  if ('refused' in record) return { fault: record.refused }
  const email = normaliseEmail(record.email)
  if (email === '') return { fault: 'the address is missing' }
  if (!isEmail(email)) return { fault: 'the address is not valid' }
  const cells = Object.entries(record.texts).map(([name, text]) => [name, coerce(text, isBoolean(name))])
  const data = Object.assign(Object.create(null), Object.fromEntries(cells), withoutNull(record.values))
  const patch = parsePatch(data)
  return Array.isArray(patch)
    ? { fault: `${patch[0]!.field}: ${patch[0]!.message}` }
    : { record, email, patch }
}

/** Null would remove what the contact has; a source that says nothing removes nothing. */
function withoutNull(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** A batch that is refused as a whole is halved until the record that is to blame stands alone. */
async function applyRecords(
  ctx: Context,
  application: Application,
  seen: Set<number>,
  records: readonly Readable[],
): Promise<void> {
  try {
    const startedAt = ctx.clock.now()
    const outcome = await commitOrTakeBack(ctx, application, records)
    countOutcome(application.report, seen, startedAt, records, outcome)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (records.length === 1) return refuse(application.report, records[0]!.record, wordsOf(error))
    const middle = Math.floor(records.length / 2)
    await applyRecords(ctx, application, seen, records.slice(0, middle))
    await applyRecords(ctx, application, seen, records.slice(middle))
  }
}

function wordsOf(error: AppError): string {
  const first = error.errors?.[0]
  return first ? `${first.field}: ${first.message}` : error.message
}

interface Outcome {
  contacts: UpsertedContact[]
  suppressed: number
}

class TakenBack extends Error {
  constructor(readonly outcome: Outcome) {
    super('a dry run')
  }
}

async function commitOrTakeBack(
  ctx: Context,
  application: Application,
  records: readonly Readable[],
): Promise<Outcome> {
  try {
    return await inTransaction(ctx, async tx => {
      const outcome = await applyIn(tx, application, records)
      if (application.isDryRun) throw new TakenBack(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome
    throw error
  }
}

async function applyIn(
  tx: Context,
  application: Application,
  records: readonly Readable[],
): Promise<Outcome> {
  const { projectId } = application
  const entries = records.map(({ record, email, patch }) => {
    const isWanted = record.subscribed && !record.suppressed
    return { email, patch, ...(isWanted ? {} : { subscribed: false }) }
  })
  const contacts = await upsertContacts(tx, projectId, entries, { defaultSubscribed: true })
  const suppressed = await insertSuppressions(
    tx,
    records.flatMap(({ record, email }) =>
      record.suppressed ? [{ projectId, email, ...record.suppressed, emailId: null }] : [],
    ),
  )
  for (const [name, emails] of membersOf(application, records)) {
    const segmentId = await application.segments.idOf(tx, name)
    await addMembers(tx, projectId, segmentId, { emails })
  }
  return { contacts, suppressed }
}

function membersOf(application: Application, records: readonly Readable[]): Map<string, string[]> {
  const members = new Map<string, string[]>()
  for (const { record, email } of records)
    for (const name of application.segmentsOf(record))
      members.set(name, [...(members.get(name) ?? []), email])
  // In one order, so that two imports can't wait for each other's segments.
  return new Map([...members].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function countOutcome(
  report: Report,
  seen: Set<number>,
  startedAt: Date,
  records: readonly Readable[],
  { contacts, suppressed }: Outcome,
): void {
  report.suppressed += suppressed
  for (const [index, { contact, isNew }] of contacts.entries()) {
    const hash = Number(BigInt.asUintN(53, Bun.hash.xxHash64(records[index]!.email)))
    if (seen.has(hash)) report.repeated++
    else if (isNew) report.created++
    else if (contact.updatedAt >= startedAt) report.updated++
    else report.unchanged++
    seen.add(hash)
    if (!contact.subscribed) report.unsubscribed++
  }
}
