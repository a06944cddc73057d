// The model does what the program does: ways through it, done again with the program's own statements on a real database, leave the same
// rows after every step.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeWorld, type World } from '../support/world'
import { type Action, after, begin, type State } from './delivery'
import { deliveryModel } from './delivery-law'
import { explore, path } from './explore'
import { startReplay } from './replay'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const faults = 2
const ways = 40

/** Giving up is settled in the call that takes the message, and can't be held up in between. */
const givesUp = (way: readonly Action[]): boolean => {
  let state = begin(faults)
  return way.some(action => {
    state = after(state, action)
    return action.name === 'take' && state.workers[action.worker!].step === 'answered'
  })
}

test('the rows of the program are those of the model, on ways that lead everywhere', async () => {
  const all = [...explore(deliveryModel(faults))].map(({ visit }) => path(visit)).filter(way => !givesUp(way))
  const chosen = all.filter((_, index) => index % Math.ceil(all.length / ways) === 0)
  expect(chosen.length).toBeGreaterThan(ways / 2)
  for (const way of chosen) {
    const replay = await startReplay(world)
    let state: State = begin(faults)
    for (const [index, action] of way.entries()) {
      await replay.step(action, state)
      state = after(state, action)
      const { message, job, leases } = state
      expect({ way: way.slice(0, index + 1), ...(await replay.rows()) }).toEqual({
        way: way.slice(0, index + 1),
        message,
        job,
        leases,
      })
    }
  }
})
