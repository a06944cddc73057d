// The model of a campaign does what the program does: ways through it, done again with the program's own calls, leave the same rows.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'
import { begin, type Space, type State } from './campaign'
import { isHeld, replayable, startReplay } from './campaign-replay'
import { after } from './campaign-steps'
import { explore, path } from './explore'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const ways = 30

test.each<Space>([
  { pages: 1, faults: 1, persons: ['pause', 'cancel'] },
  { pages: 1, faults: 0, persons: ['pause', 'cancel', 'retry'] },
])('the rows of the program are those of the model: %j', async space => {
  const all = [...explore(replayable(space))].filter(({ state }) => isHeld(state)).map(({ visit }) => visit)
  const chosen = all.filter((_, index) => index % Math.ceil(all.length / ways) === 0).map(path)
  expect(chosen.length).toBeGreaterThan(ways / 2)
  for (const way of chosen) {
    const replay = await startReplay(await campaignWorld(world), space)
    let state: State = begin(space)
    for (const [index, action] of way.entries()) {
      await replay.step(action, state)
      state = after(state, action)
      const done = way.slice(0, index + 1)
      if (isHeld(state)) expect({ done, ...(await replay.rows()) }).toEqual({ done, ...state.db })
    }
  }
})
