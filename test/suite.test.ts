// What tests may not do, so that none depends on how busy the machine is or on chance: sleep in place of waiting for what is to happen, draw
// without a seed, and have less time than all of them (`test/support/around.ts`).
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dir
const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(folder)].sort()
const lines = paths.flatMap(path =>
  readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .map((text, index) => ({ path, place: `${path}:${index + 1}`, text })),
)

/** How often each file does what the pattern finds, where it is no comment. */
function found(pattern: RegExp): Record<string, number> {
  const hits = lines.filter(
    ({ path, text }) => path !== 'suite.test.ts' && pattern.test(text) && !/^\s*(\/\/|\*|\/\*)/.test(text),
  )
  return Object.fromEntries(
    [...Map.groupBy(hits, ({ path }) => path)].map(([path, all]) => [path, all.length]),
  )
}

test('no test has a time limit below that of all', () => {
  const short = lines.filter(({ text }) => {
    const limit = /^\s*\}, ([\d_]+)\)$/.exec(text)?.[1]?.replaceAll('_', '')
    return limit !== undefined && Number(limit) >= 20_000 && Number(limit) <= 120_000
  })
  // The second argument of a judge of cost is how long its texts are.
  expect(short.map(({ place }) => place).filter(place => !place.startsWith('unit/tracking/judge'))).toEqual(
    [],
  )
})

/** Where a file sleeps, how often, and why it may. */
const sleeps: Record<string, Record<string, number>> = {
  'asks again for what nothing announces': {
    'support/until.ts': 1,
    'support/program.ts': 1,
    'support/chromium.ts': 2,
    'support/load.ts': 1,
    'support/longest-block.ts': 1,
    'binary/cli.test.ts': 1,
    'binary/embedded.test.ts': 1,
    'binary/user.test.ts': 1,
    'browser/editor.test.ts': 1,
    'browser/open.ts': 2,
    'http/role-matrix.test.ts': 1,
  },
  'is the slow server, sender or piece of work that the test is about': {
    'support/ses.ts': 1,
    'support/smtp-zoo-conversation.ts': 4,
    'http/contacts-import.test.ts': 2,
    'http/neighbours.test.ts': 4,
    'http/recipient-rates.test.ts': 1,
    'jobs/turns.test.ts': 2,
    'jobs/worker.ts': 1,
    'smtp/submission-hostile.test.ts': 4,
    'unit/lib/cpu-throttle.test.ts': 3,
    'unit/platform/large-work.test.ts': 3,
    'unit/platform/requests.test.ts': 2,
    'unit/platform/smtp-server/intake.test.ts': 3,
    'unit/platform/worker-pool.test.ts': 1,
    'unit/webhook/network.test.ts': 2,
  },
  'lets other callbacks have their turn': {
    'browser/campaigns.test.ts': 1,
    'http/tracking.test.ts': 1,
    'loop/hostile-bodies.test.ts': 1,
    'unit/http/body-intake.test.ts': 2,
    'unit/platform/smtp-server/dots.test.ts': 1,
  },
  'chooses when a program is killed or a connection is cut': {
    'binary/backup.test.ts': 3,
    'binary/binary.test.ts': 1,
    'binary/crash.test.ts': 1,
    'binary/faults.test.ts': 1,
    'e2e/first-letters.test.ts': 1,
    'flows/feedback-storm.test.ts': 1,
    'flows/workflow-crash.test.ts': 1,
    'flows/workflow-races.test.ts': 1,
  },
  'gives time to what must not happen: a slow machine finds less, and never a fault': {
    'http/campaign-sending.test.ts': 1,
    'http/contacts-add-to-segment.test.ts': 1,
    'http/contacts-export.test.ts': 2,
    'http/project-closing.test.ts': 1,
    'platform/silence.test.ts': 3,
    'ses/domains.test.ts': 1,
    'smtp/pool.test.ts': 3,
    'smtp/shares.test.ts': 2,
    'unit/contacts/mix.test.ts': 1,
  },
}

test('no file sleeps but those that have a reason: what happens by itself is waited for with `until`', () => {
  const allowed = Object.assign({}, ...Object.values(sleeps))
  expect(found(/\bBun\.sleep(?:Sync)?\(|\bwaitForTimeout\(|\bsetTimeout\(/)).toEqual(allowed)
})

test('chance has a seed, which a failure tells: `makeRandom` (support/random.ts)', () => {
  const keys = {
    // Ids, keys and jitter, of which no test says what they are.
    'support/context.ts': 3,
    'dns/knot.test.ts': 1,
    'unit/mail/dns/client.test.ts': 1,
  }
  expect(found(/\bMath\.random\b|\brandomBytes\b|\bgetRandomValues\b/)).toEqual({
    ...keys,
    'architecture.test.ts': 1,
  })
})
