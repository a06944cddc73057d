// In no order of crashes, lost leases, lost answers and a person's pauses, cancellations and second thoughts is a recipient lost, recorded or
// ended twice, or miscounted; and for each rule that this rests on, the model finds the way in which it goes wrong without the rule.
import { expect, test } from 'bun:test'
import type { Flaws, Space } from './campaign'
import { campaignModel } from './campaign-law'
import { explore, verdict } from './explore'

/** All at once would be millions of states. */
const spaces = {
  short: { pages: 1, faults: 1, persons: [] },
  unlucky: { pages: 1, faults: 2, persons: ['cancel'] },
  stopped: { pages: 1, faults: 1, persons: ['pause', 'cancel'] },
  repeated: { pages: 1, faults: 1, persons: ['retry', 'cancel'] },
  handled: { pages: 1, faults: 0, persons: ['pause', 'cancel', 'retry'] },
  paged: { pages: 2, faults: 1, persons: [] },
  'paged and stopped': { pages: 2, faults: 0, persons: ['pause', 'cancel'] },
} satisfies Record<string, Space>
type Name = keyof typeof spaces

test.each(Object.entries<Space>(spaces))('%s: the campaign ends with everybody in it', (_, space) => {
  expect(verdict(campaignModel(space))).toBeUndefined()
})

test('without a fault and a person each gets one copy, or none where the relay refuses it', () => {
  const model = campaignModel({ pages: 2, faults: 0, persons: [] })
  const ends = [...explore(model)].filter(({ state }) => model.hasEnded(state))
  const told = ends.map(({ state: { db, copies } }) => [
    db.campaign.status,
    ...db.rows.map((row, contact) => `${row?.status} ${copies[contact]}`),
  ])
  expect(new Set(told.map(each => each.join()))).toEqual(
    new Set(['SENT,SENT 1,SENT 1', 'SENT,SENT 1,FAILED 0', 'SENT,FAILED 0,SENT 1', 'SENT,FAILED 0,FAILED 0']),
  )
})

const never = 'a campaign never ends'
const early = 'a campaign is SENT before everybody has ended'

test.each<[rules: string, wrong: string, space: Name]>([
  ['noCursorGuard and noUniqueIndex', 'a recipient is recorded twice', 'paged'],
  ['noCursorGuard', early, 'paged'],
  ['sliceJobComesLater', never, 'short'],
  ['leavesMovedCursor', never, 'paged'],
  ['lastPageDoesNotWait', never, 'short'],
  ['takesOnlyPending', never, 'short'],
  ['takesWhateverTheStatus', 'a recipient is taken although the campaign has been stopped', 'stopped'],
  ['settlesWithoutProof', 'a row ends twice', 'short'],
  ['countsLater', 'what is counted is not what is there', 'short'],
  ['marksUnseen', early, 'short'],
  ['marksUnlocked', early, 'handled'],
  ['finishesUnlocked', early, 'handled'],
  ['ignoresDoneAtFirst', never, 'short'],
  ['ignoresDoneAtLast', never, 'short'],
  ['closesWithoutJobs', never, 'stopped'],
  ['forgetsWishes', never, 'handled'],
])('%s: %s', (rules, wrong, space) => {
  const flaws: Flaws = Object.fromEntries(rules.split(' and ').map(rule => [rule, true]))
  expect(verdict(campaignModel(spaces[space], flaws))?.wrong).toBe(wrong)
})

test('the unique index has nothing to do as long as the guard on the cursor holds', () => {
  expect(verdict(campaignModel(spaces.paged, { noUniqueIndex: true }))).toBeUndefined()
})
