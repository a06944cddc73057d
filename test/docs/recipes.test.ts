// The recipes of src/recipes.md are followed, one after the other, in a copy of the repository: what they say to write is written, what
// they say to run is run, and the result has the types and the form that it should have.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Copy, copyRepository, readRecipes } from '../support/recipe'
import { testServer } from '../support/server'

const recipes = readRecipes(readFileSync(join(import.meta.dir, '../../src/recipes.md'), 'utf8'))

let copy: Copy
beforeAll(async () => {
  const { url } = await testServer()
  // The tests of the copy have a template of their own on the server of this run, and what they are answered is no answer of ours.
  const own = { TEST_SERVER: undefined, TEST_SCRATCH: undefined, RECORD_EXAMPLES: undefined }
  copy = copyRepository({ ...process.env, ...own, TEST_DATABASE_URL: url })
})
afterAll(() => copy.remove())

/** Other programs do the work, as slowly as the machine is busy. */
const patience = 900_000

test('there is a recipe for each thing that is added often', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'A table',
    'A module',
    'An endpoint',
    'A job',
    'A setting',
    'A step type of workflows',
    "A provider's webhook",
  ])
})

test('an endpoint is written in at most four files, beside its test', () => {
  const { steps } = recipes.find(({ title }) => title === 'An endpoint')!
  const paths = new Set(steps.flatMap(step => (step.kind === 'command' ? [] : [step.path])))
  const written = [...paths].filter(path => !path.startsWith('test/'))
  expect(written).toEqual(written.filter(path => path.startsWith('src/modules/')))
  expect(written.length).toBeLessThanOrEqual(4)
  expect(paths.size - written.length).toBe(1)
})

test.each(recipes.map(recipe => [recipe.title, recipe] as const))(
  '%s',
  async (_, { steps }) => {
    for (const step of steps) await copy.follow(step)
  },
  patience,
)

test(
  'what came of them has types and form',
  async () => {
    const changed = recipes.flatMap(({ steps }) =>
      steps.flatMap(step =>
        step.kind === 'command' || step.path.includes('settings.test') ? [] : [step.path],
      ),
    )
    // With threads of its own, a compiler works out the same types several times; other tests run beside this one.
    await Promise.all([
      copy.run('bunx --bun tsc --noEmit --singleThreaded'),
      copy.run('bunx --bun tsc --noEmit --singleThreaded -p src/dashboard'),
      copy.run(`bunx --bun biome check ${[...new Set(changed)].join(' ')}`),
    ])
  },
  patience,
)
