// Applies the records of a source in batches, each of them one transaction: contacts by the same rules as everywhere else, suppressions,
// and members of static segments. A dry run does the very same and takes each transaction back, so that its report is the real one;
// earlier records about the same address are applied again first.
// Nothing is remembered between runs: applying a record a second time changes nothing.

import { normaliseEmail } from '../../lib/address'
import { AppError } from '../../lib/errors'
import {
  type ColumnTypes,
  type ImportedContact,
  importContacts,
  selectFieldTypes,
} from '../../modules/audience/contacts'
import { insertSuppressions } from '../../modules/audience/suppressions'
import {
  decisionKey,
  type ImportedDecision,
  importDecisions,
  writeDecisions,
} from '../../modules/audience/topics'
import { addMembers } from '../../modules/features/segments'
import { rememberOldRecipients } from '../../modules/sending/redirects'
import type { Context } from '../../platform/context'
import type { Segments, Topics } from './lists'
import { applyLinks, followRenamed } from './old-links'
import {
  findColumnTypes,
  hasFields,
  hasTexts,
  type Readable,
  readRecord,
  type Suppression,
  withoutFields,
} from './read-record'
import type { ImportSource, PeerRecord, SaidOfTopic, SourceRecord } from './record'
import { addressHash, findRepeated, keepOrTakeBack, makeRehearsal, type Rehearsal } from './rehearsal'
import { type ImportReport, noteLeftOut, noteWithout, refuse } from './report'

export interface Application {
  projectId: string
  isDryRun: boolean
  /** Names of static segments that a record's contact joins. */
  segmentsOf(record: PeerRecord): string[]
  segments: Segments
  topics: Topics
  report: ImportReport
  onBatch(report: ImportReport): void
}

const batchSize = 500

/** What a run holds from its first batch to its last. */
interface Run extends Application {
  /** Hashes of the addresses that came before. */
  seen: Set<number>
  rehearsal: Rehearsal<Suppression> | undefined
  /** Of the columns of a table whose fields the project does not know; found when the first is read. */
  columnTypes: ColumnTypes | undefined
}

export async function applySource(
  ctx: Context,
  source: ImportSource,
  application: Application,
): Promise<void> {
  const run: Run = {
    ...application,
    seen: new Set(),
    rehearsal: await rehearse(source, application),
    columnTypes: undefined,
  }
  let batch: SourceRecord[] = []
  const apply = async (): Promise<void> => {
    if (batch.some(hasTexts)) run.columnTypes ??= await findColumnTypes(source)
    await applyBatch(ctx, run, batch)
    run.onBatch(run.report)
    batch = []
  }
  for await (const record of source.read()) {
    run.report.read++
    if (batch.push(record) >= batchSize) await apply()
  }
  if (batch.length > 0) await apply()
  await applyLinks(ctx, source, run)
}

async function rehearse(
  source: ImportSource,
  { projectId, isDryRun }: Application,
): Promise<Run['rehearsal']> {
  if (!isDryRun) return undefined
  const repeated = source.addressesAreUnique ? new Set<number>() : await findRepeated(source, normaliseEmail)
  return makeRehearsal(projectId, repeated)
}

async function applyBatch(ctx: Context, run: Run, batch: readonly SourceRecord[]): Promise<void> {
  const { projectId, report } = run
  const names = new Set(batch.flatMap(record => ('texts' in record ? Object.keys(record.texts) : [])))
  const known = await selectFieldTypes(ctx, projectId, [...names])
  const typeOf = (name: string) => known.get(name) ?? run.columnTypes?.of(name)
  const reading = { projectId, now: ctx.clock.now(), typeOf }
  const readable = batch.flatMap(record => {
    const read = readRecord(record, reading)
    if (!('fault' in read)) return [read]
    refuse(report, record, read.fault)
    return []
  })
  if (readable.length > 0) await applyRecords(ctx, run, readable)
}

/** A batch that is refused as a whole is halved until only the record to blame is left, which is then taken without its fields. */
async function applyRecords(ctx: Context, run: Run, records: readonly Readable[]): Promise<void> {
  try {
    const startedAt = ctx.clock.now()
    const outcome = await commitOrTakeBack(ctx, run, records)
    countOutcome(run, startedAt, outcome)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const [first] = records
    if (records.length === 1 && hasFields(first!))
      return await applyRecords(ctx, run, [withoutFields(first!, wordsOf(error))])
    if (records.length === 1) return refuse(run.report, first!.record, wordsOf(error))
    const middle = Math.floor(records.length / 2)
    await applyRecords(ctx, run, records.slice(0, middle))
    await applyRecords(ctx, run, records.slice(middle))
  }
}

function wordsOf(error: AppError): string {
  const first = error.errors?.[0]
  return first ? `${first.field}: ${first.message}` : error.message
}

interface Outcome {
  /** With the addresses that their contacts have. */
  records: Readable[]
  contacts: ImportedContact[]
  suppressed: number
  /** Whose old links work here now. */
  people: number
  /** What was decided about topics. */
  decided: Decided[]
}

async function commitOrTakeBack(ctx: Context, run: Run, records: readonly Readable[]): Promise<Outcome> {
  const { rehearsal } = run
  if (!rehearsal) return await keepOrTakeBack(ctx, false, tx => applyIn(tx, run, records))
  const outcome = await keepOrTakeBack(ctx, true, async tx => {
    const { entries, suppressions, topics } = rehearsal.before(records.map(({ email }) => email))
    const contacts = await importContacts(tx, run.projectId, entries)
    await insertSuppressions(tx, suppressions)
    await decideAgain(tx, run, contacts, topics)
    return await applyIn(tx, run, records)
  })
  for (const { email, entry, suppression } of outcome.records)
    rehearsal.add(
      email,
      entry,
      suppression,
      outcome.decided.filter(each => each.email === email),
    )
  return outcome
}

async function applyIn(tx: Context, run: Run, given: readonly Readable[]): Promise<Outcome> {
  const { projectId } = run
  const records = await followRenamed(tx, projectId, given)
  const contacts = await importContacts(
    tx,
    projectId,
    records.map(({ entry }) => entry),
  )
  const suppressed = await insertSuppressions(
    tx,
    records.flatMap(({ suppression }) => suppression ?? []),
  )
  const oldTokens = records.flatMap(({ record }, index) =>
    record.oldToken === undefined
      ? []
      : [
          {
            ...{ contactId: contacts[index]!.contact.id, token: record.oldToken },
            email: normaliseEmail(record.email),
          },
        ],
  )
  const people = await rememberOldRecipients(tx, projectId, oldTokens)
  for (const [name, emails] of membersOf(run, records)) {
    const segmentId = await run.segments.idOf(tx, name)
    await addMembers(tx, projectId, segmentId, { emails })
  }
  return { ...(await decideTopics(tx, run, records, contacts)), records, suppressed, people }
}

interface Decided extends ImportedDecision {
  email: string
  name: string
}

/** A yes about a topic that somebody left is left out like one about the contact itself. */
async function decideTopics(
  tx: Context,
  run: Run,
  records: readonly Readable[],
  contacts: ImportedContact[],
): Promise<Pick<Outcome, 'contacts' | 'decided'>> {
  const asked: Decided[][] = []
  for (const [index, { record, email }] of records.entries())
    asked.push(await decisionsOf(tx, run, { email, contactId: contacts[index]!.contact.id }, record.topics))
  const { leftOut, written } = await importDecisions(tx, run.projectId, asked.flat())
  const holds = new Set<ImportedDecision>(written)
  return {
    decided: asked.flat().filter(each => holds.has(each)),
    contacts: contacts.map((contact, index) => {
      // What the source itself says no to is no yes that was left out.
      const isLeftOut =
        records[index]!.entry.subscribed !== false &&
        asked[index]!.some(each => each.subscribed && leftOut.has(decisionKey(each)))
      return isLeftOut ? { ...contact, isLeftOut } : contact
    }),
  }
}

async function decisionsOf(
  tx: Context,
  run: Run,
  whose: Pick<Decided, 'email' | 'contactId'>,
  said: readonly SaidOfTopic[] = [],
): Promise<Decided[]> {
  const decisions: Decided[] = []
  for (const one of said) decisions.push({ ...one, ...whose, topicId: await run.topics.idOf(tx, one.name) })
  return decisions
}

/** As an earlier batch of a dry run left them, whatever has become of the contact since. */
async function decideAgain(
  tx: Context,
  run: Run,
  contacts: readonly ImportedContact[],
  said: ReadonlyMap<string, SaidOfTopic[]>,
): Promise<void> {
  const decisions = new Map<string, Decided>()
  for (const { contact } of contacts) {
    const whose = { email: contact.email, contactId: contact.id }
    for (const each of await decisionsOf(tx, run, whose, said.get(contact.email)))
      decisions.set(decisionKey(each), each)
  }
  await writeDecisions(tx, run.projectId, [...decisions.values()])
}

function membersOf(run: Run, records: readonly Readable[]): Map<string, string[]> {
  const members = new Map<string, string[]>()
  for (const { record, email } of records)
    for (const name of run.segmentsOf(record)) members.set(name, [...(members.get(name) ?? []), email])
  // In one order, so that two imports can't wait for each other's segments.
  return new Map([...members].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function countOutcome(
  { report, seen }: Run,
  startedAt: Date,
  { records, contacts, suppressed, people, decided }: Outcome,
): void {
  const moved = new Set(decided.map(each => each.email))
  report.suppressed += suppressed
  report.oldLinks.people += people
  for (const [index, { contact, isNew, isLeftOut }] of contacts.entries()) {
    const { record, email, without } = records[index]!
    for (const reason of without) noteWithout(report, record, reason)
    const hash = addressHash(email)
    if (seen.has(hash)) report.repeated++
    else if (isNew) report.created++
    else if (contact.updatedAt >= startedAt || moved.has(email)) report.updated++
    else report.unchanged++
    seen.add(hash)
    if (contact.subscribed) report.unsubscribed.delete(hash)
    else report.unsubscribed.add(hash)
    if (isLeftOut) noteLeftOut(report, record)
  }
}
