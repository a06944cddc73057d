// A draft that stores itself, in walks of any order: typing, time, presses, undo, a colleague, a lost connection, a tab that ends.
// No word that somebody typed is lost unless a person takes it back, nothing that reaches people is stored without a press, and at the end
// what the page shows is what is stored. Each walk has a seed, and a fault names it.
import { expect, test } from 'bun:test'
import { makeRandom, seed } from '../support/random'
import { type Tab, Walk } from './draft-walk'

const walks = Number(process.env['WALKS'] ?? 5_000)
const stepsPerWalk = 40

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}

const fields = ['subject', 'body'] as const
type Act = [name: string, act: () => unknown]

/** What may happen now, each as likely as the number of times that it is in the list. */
function actsOf(walk: Walk, random: (limit: number) => number): Act[] {
  const field = fields[random(2)]!
  const acts: Act[] = [
    ['time passes', () => walk.pass([100, 900, 3_000, 11_000][random(4)]!)],
    ['time passes', () => walk.pass(900)],
  ]
  if (!walk.isAlone && random(3) === 0)
    acts.push([`a colleague adds to the ${field}`, () => walk.colleague(field)])
  if (walk.isOffline || random(4) === 0)
    acts.push([walk.isOffline ? 'online' : 'offline', () => walk.toggle('isOffline')])
  if (random(4) === 0) acts.push([walk.isLive ? 'turned off' : 'turned on', () => walk.toggle('isLive')])
  for (const request of walk.requests)
    acts.push(
      ['a request is served', () => walk.serve(request)],
      ['a request is answered', () => walk.answer(request)],
      ['a request is answered', () => walk.answer(request)],
      ['a request is cut off', () => walk.cut(request)],
    )
  for (const stray of walk.strays) acts.push(['a request arrives late', () => walk.serve(stray)])
  return [...acts, ...(walk.tab ? actsIn(walk, walk.tab, random) : [['opens', () => walk.open()] as Act])]
}

function actsIn(walk: Walk, tab: Tab, random: (limit: number) => number): Act[] {
  const field = fields[random(2)]!
  const { draft } = tab
  const { theirs, offer } = draft.state()
  const acts: Act[] = [
    [`types in the ${field}`, () => walk.type(tab, field)],
    [`types in the ${field}`, () => walk.type(tab, field)],
    ['undo', () => walk.decide(tab, () => draft.undo())],
    ['redo', () => walk.decide(tab, () => draft.redo())],
    ['a press', () => void draft.store({ isPressed: true }).catch(() => undefined)],
    ['looks elsewhere', () => draft.leave(false)],
    ['reads again', () => draft.follow(structuredClone(walk.row))],
    ['learns whether it is live', () => walk.learn(tab)],
  ]
  if (random(3) === 0)
    acts.push(
      ['closes', () => walk.close(tab, { hasLastMoment: true })],
      ['crashes', () => walk.close(tab, { hasLastMoment: false })],
    )
  if (random(5) === 0) acts.push(['discard', () => walk.decide(tab, () => draft.discard())])
  if (theirs)
    acts.push(
      ['takes theirs', () => walk.decide(tab, () => void draft.take())],
      ['keeps mine', () => walk.decide(tab, () => void draft.keepMine().catch(() => undefined))],
    )
  if (offer)
    acts.push(
      ['takes the offer', () => walk.decide(tab, () => draft.takeOffer())],
      ['drops the offer', () => walk.decide(tab, () => draft.dropOffer())],
    )
  return acts
}

/** The connection is back, every answer comes, and whoever is asked decides: then all is stored. */
async function end(walk: Walk): Promise<void> {
  walk.isOffline = false
  walk.isLive = false
  if (!walk.tab) walk.open()
  const { draft } = walk.tab!
  for (let turn = 0; turn < 60; turn++) {
    for (const request of walk.requests) walk.answer(request)
    await settle()
    walk.learn(walk.tab!)
    draft.retry()
    draft.follow(structuredClone(walk.row))
    const { offer, theirs } = draft.state()
    if (offer) walk.decide(walk.tab!, () => draft.takeOffer())
    else if (theirs) walk.decide(walk.tab!, () => void draft.keepMine().catch(() => undefined))
    await settle()
    walk.pass(11_000)
    await settle()
  }
}

async function walkOf(from: number): Promise<string | undefined> {
  const random = makeRandom(from)
  const walk = new Walk({ isAlone: random(2) === 0 })
  const taken: string[] = []
  const fault = (what: unknown): string => `seed ${from}: ${what}\n  ${taken.join('\n  ')}`
  for (let step = 0; step < stepsPerWalk; step++) {
    const acts = actsOf(walk, random)
    const [name, act] = acts[random(acts.length)]!
    taken.push(name)
    try {
      act()
    } catch (error) {
      return fault(error)
    }
    await settle()
    if (walk.fault) return fault(walk.fault)
    const asks = walk.isAlone && (walk.tab?.draft.state().theirs || walk.tab?.draft.state().offer)
    if (asks) return fault('who writes alone is asked to choose')
    const lost = walk.lost()
    if (lost.length > 0) return fault(`lost ${lost.join()}`)
  }
  taken.push('the end')
  const shown = walk.isAlone ? walk.tab?.draft.state().value : undefined
  await end(walk)
  const { subject, body } = walk.row
  if (shown && JSON.stringify(shown) !== JSON.stringify({ subject, body }))
    return fault(`${JSON.stringify(shown)} was shown, ${JSON.stringify(walk.row)} is stored`)
  const { value, isDirty } = walk.tab!.draft.state()
  if (isDirty || JSON.stringify(value) !== JSON.stringify({ subject, body }))
    return fault(`${JSON.stringify(walk.tab!.draft.state())} is shown, ${JSON.stringify(walk.row)} is stored`)
  const stored = new Set([...subject, ...body])
  const missing = [...walk.words].filter(word => !stored.has(word))
  return missing.length > 0 ? fault(`not stored at the end: ${missing.join()}`) : undefined
}

test(`${walks} walks, from seed ${seed}`, async () => {
  const faults: string[] = []
  for (let from = seed; from < seed + walks && faults.length < 3; from++) {
    const fault = await walkOf(from)
    if (fault) faults.push(fault)
  }
  expect(faults).toEqual([])
})
