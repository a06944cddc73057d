// What a dry run counts is what happens: for random tables, with addresses that come again in the same batch and in a later one, in
// any case, about contacts in every state, with rows that can't be used.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { applySource } from '../../src/cli/import/apply'
import { findSegments, findTopics } from '../../src/cli/import/lists'
import type { ImportSource, SourceRecord } from '../../src/cli/import/record'
import { emptyReport, type ImportReport } from '../../src/cli/import/report'
import { csvSource } from '../../src/cli/import/sources/csv'
import {
  importContacts,
  setSubscriptions,
  snoozeContact,
  upsertContacts,
} from '../../src/modules/audience/contacts/service'
import { makeWorld, type World } from '../support/world'

let world: World
let folder = ''

beforeAll(async () => {
  world = await makeWorld()
  folder = mkdtempSync(join(tmpdir(), 'waxwing-dry-run-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const states = ['absent', 'subscribed', 'neverAsked', 'optedOut', 'snoozed'] as const

const row = fc.record({
  person: fc.integer({ min: 0, max: 9 }),
  spelling: fc.constantFrom('lower', 'upper', 'padded'),
  subscribed: fc.constantFrom('', 'yes', 'no', 'nein', 'perhaps'),
  optedOutAt: fc.constantFrom('', '', '', '2025-01-01', 'once'),
  plan: fc.constantFrom('', 'a', 'b', 'x'.repeat(40_000)),
  other: fc.constantFrom('', '1', 'y'.repeat(40_000)),
  isSuppressed: fc.boolean(),
  news: fc.constantFrom('', '', 'yes', 'no'),
})
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

/** `distance`: rows about nobody else between two, so that the same addresses come in the same batch or in another. */
const table = fc.record({
  before: fc.array(fc.constantFrom(...states), { minLength: 10, maxLength: 10 }),
  rows: fc.array(row, { minLength: 2, maxLength: 24 }),
  distance: fc.constantFrom(0, 0, 0, 150),
})

function spell({ person, spelling }: Row): string {
  const email = `p${person}@x.test`
  if (spelling === 'upper') return email.toUpperCase()
  return spelling === 'padded' ? ` ${email} ` : email
}

function fileOf(rows: readonly Row[], distance: number): string {
  const lines = rows.flatMap((one, index) => [
    [spell(one), one.subscribed, one.optedOutAt, one.plan, one.other, one.news].join(','),
    ...Array.from({ length: distance }, (_, n) => (n === 7 ? 'nonsense' : `filler${index}-${n}@x.test`)),
  ])
  return ['email,subscribed,optedOutAt,plan,other,topic:News', ...lines, ''].join('\n')
}

/** The table, with addresses that its program had given up. */
function sourceOf(path: string, rows: readonly Row[]): ImportSource {
  const bad = new Set(
    rows.filter(({ isSuppressed }) => isSuppressed).map(({ person }) => `p${person}@x.test`),
  )
  const suppressed = { reason: 'bounce', source: 'test' } as const
  const table = csvSource(path, { map: new Map() })
  return {
    async *read(): AsyncGenerator<SourceRecord> {
      let count = 0
      for await (const record of table.read()) {
        const isBad = bad.has(record.email.toLowerCase()) && count++ % 2 === 1
        yield isBad && !('refused' in record) ? { ...record, suppressed } : record
      }
    },
  }
}

async function prepare(projectId: string, before: ReadonlyArray<(typeof states)[number]>): Promise<void> {
  for (const [person, state] of before.entries()) {
    if (state === 'absent') continue
    const entry = { email: `p${person}@x.test`, subscribed: state !== 'neverAsked' }
    const [made] = await upsertContacts(world.ctx, projectId, [entry], { defaultSubscribed: true })
    if (state === 'optedOut') await setSubscriptions(world.ctx, projectId, [made!.contact.id], 'optedOut')
    if (state === 'snoozed') await snoozeContact(world.ctx, projectId, made!.contact.id, '2_weeks')
  }
}

async function run(projectId: string, source: ImportSource, isDryRun: boolean): Promise<ImportReport> {
  const report = emptyReport()
  world.clock.advance(1_000)
  await applySource(world.ctx, source, {
    ...{ projectId, isDryRun, report, segmentsOf: () => [], onBatch: () => {} },
    segments: await findSegments(world.ctx, projectId),
    topics: await findTopics(world.ctx, projectId, 'make'),
  })
  return report
}

async function stored(projectId: string) {
  return [
    ...(await world.ctx.sql`
      select email, subscribed, snoozed_until is not null as snoozed, opted_out_at, data, updated_at from contacts
       where project_id = ${projectId}::uuid order by email`),
  ]
}

test('a dry run counts what the real one does, and changes nothing', async () => {
  const seen = { repeated: 0, leftOut: 0, refused: 0, suppressed: 0, tooLarge: 0 }
  await fc.assert(
    fc.asyncProperty(table, async ({ before, rows, distance }) => {
      const { id } = await world.newProject()
      await prepare(id, before)
      const path = join(folder, `${id}.csv`)
      writeFileSync(path, fileOf(rows, distance))
      const atFirst = await stored(id)
      const dry = await run(id, sourceOf(path, rows), true)
      expect(await stored(id)).toEqual(atFirst)
      const real = await run(id, sourceOf(path, rows), false)
      expect(dry).toEqual(real)
      await expectCounted(id, real, atFirst.length)
      seen.repeated += real.repeated
      seen.leftOut += real.leftOut
      seen.refused += real.refused
      seen.suppressed += real.suppressed
      seen.tooLarge += [...real.without.reasons.keys()].filter(reason => reason.includes('bytes')).length
    }),
    { numRuns: 25, interruptAfterTimeLimit: 60_000 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

/** The report against the database, so that the two runs do not just agree on something wrong. */
async function expectCounted(projectId: string, report: ImportReport, before: number): Promise<void> {
  const after = await stored(projectId)
  expect(report.created).toBe(after.length - before)
  expect(report.read).toBe(
    report.created + report.updated + report.unchanged + report.repeated + report.refused,
  )
  const [{ suppressed } = { suppressed: 0 }] = await world.ctx.sql<{ suppressed: number }[]>`
    select count(*) as suppressed from suppressions where project_id = ${projectId}::uuid`
  expect(report.suppressed).toBe(suppressed)
}

test('a dry run leaves out the yes of somebody who is new and said no in an earlier batch', async () => {
  const said = (news: 'no' | 'yes', fields: Partial<Row>): Row => ({
    ...{ person: 5, spelling: 'lower', subscribed: '', optedOutAt: '', plan: '', other: '' },
    ...{ isSuppressed: false, news, ...fields },
  })
  // Both together are more data than a contact may have, so that each of them is a batch of its own.
  const rows = [said('no', { plan: 'x'.repeat(40_000) }), said('yes', { other: 'y'.repeat(40_000) })]
  const { id } = await world.newProject()
  const path = join(folder, `${id}.csv`)
  writeFileSync(path, fileOf(rows, 0))
  const reports = [await run(id, sourceOf(path, rows), true), await run(id, sourceOf(path, rows), false)]
  expect(reports.map(({ leftOut }) => leftOut)).toEqual([1, 1])
})

test('an import leaves people as it finds them one row at a time, wherever a batch ends', async () => {
  const words = fc.constantFrom('silent', 'yes', 'no', 'out')
  const at = new Date('2025-01-01T00:00:00Z')
  const entryOf = (word: string) => ({
    email: 'p0@x.test',
    subscribed: word === 'silent' ? undefined : word === 'yes',
    ...(word === 'out' ? { optedOutAt: at } : {}),
  })
  const outcome = async (state: (typeof states)[number], batches: string[][]) => {
    const { id } = await world.newProject()
    await prepare(id, [state])
    const answers = []
    for (const batch of batches) answers.push(...(await importContacts(world.ctx, id, batch.map(entryOf))))
    const [contact] = await stored(id)
    return {
      contact: [contact!['subscribed'], contact!['snoozed'], contact!['opted_out_at'] !== null],
      answers: answers.map(({ isNew, isLeftOut }) => [isNew, isLeftOut]),
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...states),
      fc.array(words, { minLength: 1, maxLength: 7 }),
      async (state, said) => {
        const single = await outcome(
          state,
          said.map(word => [word]),
        )
        expect(await outcome(state, [said])).toEqual(single)
      },
    ),
    { numRuns: 40 },
  )
})
