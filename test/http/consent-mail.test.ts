// Whatever the order of forms, imports, requests, pages, mail programs, bounces, complaints and erasures, about all mail or about a topic, and wherever
// in it a campaign, a workflow or a send starts: everybody's ledger of consent says what happened; no marketing mail leaves for somebody whom it does not
// allow at that instant, of all mail and of the mail's topic, and nothing at all for an address that was erased; and everybody else gets it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { mayGet, subjects } from '../support/consent-model'
import { apply, type Change, deliver, openStage, plainSend, type Way } from '../support/consent-stage'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld({ trustProxy: true })
})
afterAll(() => world.close())

/** How many stories; WAXWING_SLOW=1 makes it three hundred. */
const numRuns = process.env['WAXWING_SLOW'] === '1' ? 300 : 16

const person = fc.integer({ min: 0, max: 3 })
const yes = fc.boolean()
const subject = fc.constantFrom(...subjects)
const all = fc.constant('all' as const)
const ways = <W extends Way>(...named: W[]) => fc.constantFrom(...named)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ by: ways('import', 'api', 'publicKey', 'page'), person, yes, about: all }),
  fc.record({
    by: ways(
      'bounce',
      'complaint',
      'break',
      'months',
      'lift',
      'send',
      'ask for data',
      'erase oneself',
      'erase',
    ),
    ...{ person, yes, about: all },
  }),
  fc.record({
    by: ways('import', 'api', 'page', 'one click', 'form', 'confirm'),
    person,
    yes,
    about: subject,
  }),
  fc.record({ by: ways('start', 'event', 'deliver'), person, yes, about: subject }),
)

/** The rest are orders of things that changes at random would seldom make. First a no between the start of mail and its leaving. */
const race = fc
  .record({
    ...{ starts: ways('start', 'event', 'event', 'send', 'form'), about: subject, person },
    by: ways('import', 'api', 'page', 'one click', 'bounce', 'erase'),
  })
  .map(({ starts, about, person, by }): Change[] => [
    { by: starts, about, person, yes: true },
    { by, about, person, yes: by === 'bounce' },
    { by: 'deliver', about, person, yes: true },
  ])

/** A no, and a yes that comes by another way. */
const overruled = fc
  .record({
    ...{ about: subject, person },
    no: ways('api', 'page', 'complaint', 'break', 'bounce'),
    yes: ways('import', 'api', 'page', 'publicKey', 'publicKey'),
  })
  .map(({ about, person, no, yes }): Change[] => [
    { by: no, about, person, yes: false },
    { by: yes, about, person, yes: true },
  ])

/** Somebody signs up; something happens between the mail and the confirmation, and the link is followed once more after a no. */
const signingUp = fc
  .record({
    ...{ about: subject, person, isAgain: yes },
    between: fc.oneof(
      change,
      fc.record({ by: ways('erase', 'months', 'form', 'bounce'), person, yes, about: subject }),
    ),
  })
  .map(({ about, person, between, isAgain }): Change[] => [
    { by: 'form', about, person, yes: true },
    { by: 'deliver', about, person, yes: true },
    { ...between, person },
    { by: 'confirm', about, person, yes: true },
    ...(isAgain ? [{ by: 'page' as const, about, person, yes: false }] : []),
    { by: 'confirm', about, person, yes: true },
  ])

/** Somebody is erased, and comes back by somebody else's doing. */
const comingBack = fc
  .record({
    person,
    about: subject,
    isOwn: yes,
    by: ways('import', 'api', 'publicKey', 'event', 'form', 'send'),
  })
  .map(({ person, about, isOwn, by }): Change[] => [
    { by: 'ask for data', about: 'all', person, yes: true },
    { by: isOwn ? 'erase oneself' : 'erase', about: 'all', person, yes: true },
    { by, about: by === 'event' || by === 'form' ? about : 'all', person, yes: true },
  ])

/** Mail about it comes, and is answered by one click. */
const oneClick = fc
  .record({ about: subject, person, starts: ways('start', 'event') })
  .map(({ about, person, starts }): Change[] => [
    { by: 'api', about: 'all', person, yes: true },
    { by: 'api', about, person, yes: true },
    { by: starts, about, person, yes: true },
    { by: 'deliver', about, person, yes: true },
    { by: 'one click', about, person, yes: true },
  ])

const story = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: change.map(one => [one]) },
      ...[race, overruled, signingUp, comingBack, oneClick].map(arbitrary => ({ weight: 2, arbitrary })),
    ),
    { minLength: 3, maxLength: 8 },
  )
  .map(parts => parts.flat())

test('mail leaves for those whom the ledger allows, and for no one else', async () => {
  await fc.assert(
    fc.asyncProperty(story, subject, ways('start', 'event'), async (changes, about, by) => {
      const stage = await openStage(world)
      for (const each of changes) await apply(stage, each)
      await deliver(stage)
      const everybody = [...stage.people.keys()]
      for (const person of everybody) await apply(stage, { by: 'send', person, yes: true, about })
      for (const person of by === 'event' ? everybody : [0])
        await apply(stage, { by, person, yes: true, about })
      const got = await deliver(stage)
      const expected = stage.people.filter(({ model }) => mayGet(model, about)).map(({ email }) => email)
      expect(got[about].sort()).toEqual(expected)
      const mailable = stage.people.filter(({ model }) => !model.isSuppressed).map(({ email }) => email)
      expect(got[plainSend].sort()).toEqual(mailable)
    }),
    { numRuns, endOnFailure: true },
  )
}, 600_000)
