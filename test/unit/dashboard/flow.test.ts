// The graph of the workflow editor: what adding, removing and connecting steps makes of it, and taking that back.
import { describe, expect, test } from 'bun:test'
import {
  always,
  connect,
  type Graph,
  inOrder,
  insert,
  newStepId,
  portsOf,
  possibleTargets,
  remove,
  type Step,
  split,
  update,
} from '../../../src/dashboard/editor/flow/graph'
import { layOut } from '../../../src/dashboard/editor/flow/layout'

const step = (id: string, type: Step['type'] = 'UPDATE_CONTACT', config = {}): Step => ({
  ...{ id, type, name: id, config, templateId: null },
})
const yes = { branch: 'yes', waitOutcome: null }
const no = { branch: 'no', waitOutcome: null }

/** trigger → if ─yes→ a → b, ─no→ c */
function branched(): Graph {
  let graph: Graph = { steps: [step('trigger', 'TRIGGER')], transitions: [] }
  graph = insert(graph, { stepId: 'trigger', port: always }, step('if', 'CONDITION'))
  graph = insert(graph, { stepId: 'if', port: yes }, step('a'))
  graph = insert(graph, { stepId: 'a', port: always }, step('b'))
  return insert(graph, { stepId: 'if', port: no }, step('c', 'EXIT'))
}

const drawn = (graph: Graph): string[] =>
  graph.transitions
    .map(({ fromStepId, toStepId, branch, waitOutcome }) =>
      [fromStepId, branch ?? waitOutcome, toStepId].filter(Boolean).join(' '),
    )
    .sort()
const names = (steps: readonly Step[]): string[] => steps.map(({ id }) => id)

describe('a step', () => {
  test('is put between two, and what came behind follows its first way', () => {
    const between = insert(branched(), { stepId: 'a', port: always }, step('new', 'CONDITION'))
    expect(drawn(between)).toEqual(['a new', 'if no c', 'if yes a', 'new yes b', 'trigger if'])
  })

  test('is taken out, and those before it lead on', () => {
    expect(drawn(remove(branched(), 'a'))).toEqual(['if no c', 'if yes b', 'trigger if'])
    expect(drawn(remove(branched(), 'b'))).toEqual(['if no c', 'if yes a', 'trigger if'])
    expect(remove(branched(), 'trigger')).toEqual(branched())
  })

  test('with several ways leaves the one that is kept, and takes the others along', () => {
    const kept = remove(branched(), 'if', yes)
    expect([drawn(kept), names(kept.steps)]).toEqual([
      ['a b', 'trigger a'],
      ['trigger', 'a', 'b'],
    ])
    expect(names(remove(branched(), 'if', no).steps)).toEqual(['trigger', 'c'])
  })

  test('that both ways lead to stays, whichever is kept', () => {
    const merged = connect(branched(), 'if', no, 'b')
    expect(names(remove(merged, 'if', no).steps)).toContain('b')
  })

  test('leads nowhere that would go round', () => {
    expect(names(possibleTargets(branched(), 'a'))).toEqual(['b', 'c'])
    expect(names(possibleTargets(branched(), 'trigger'))).toEqual(['if', 'a', 'b', 'c'])
  })

  test('that waits has one way, or one for each outcome', () => {
    const waits = insert(branched(), { stepId: 'a', port: always }, step('wait', 'WAIT_FOR_EVENT'))
    const apart = split(waits, 'wait', true)
    expect(drawn(apart)).toContain('wait EVENT b')
    expect(portsOf(apart, apart.steps.at(-1)!)).toHaveLength(2)
    expect(drawn(split(apart, 'wait', false))).toEqual(drawn(waits))
  })

  test('that no longer has a branch loses what it led to by it', () => {
    const many = update(branched(), 'if', { config: { mode: 'multi', branches: [{ id: 'x' }] } })
    expect(drawn(many)).toEqual(['a b', 'trigger if'])
  })
})

test('steps stand in the order in which they are come to, lost ones last', () => {
  expect(names(inOrder(branched()))).toEqual(['trigger', 'if', 'a', 'b', 'c'])
  expect(names(inOrder(connect(branched(), 'if', yes, undefined)))).toEqual(['trigger', 'if', 'c', 'a', 'b'])
})

test('new ids are UUIDs of version 7 that rise with time', () => {
  const ids = [1_000, 2_000, 1_767_225_600_000].map(newStepId)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

describe('the drawing', () => {
  test('has no two boxes in one place, and the first way at the left', () => {
    const { boxes } = layOut(branched(), true)
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(boxes.length)
    const at = (id: string) => boxes.find(box => box.id === id)!
    expect(at('a').x).toBeLessThan(at('c').x)
    expect(at('b').y).toBeGreaterThan(at('a').y)
  })

  test('shows open ends where steps can be added, and two ways to one step as two lines', () => {
    const merged = connect(branched(), 'if', no, 'a')
    const { boxes, lines } = layOut(merged, true)
    expect(boxes.flatMap(({ end }) => end?.stepId ?? [])).toEqual(['b'])
    expect(lines.filter(({ to }) => to === 'a')).toHaveLength(2)
    expect(layOut(merged, false).boxes.every(({ step }) => step)).toBe(true)
  })
})
