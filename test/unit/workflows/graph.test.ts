// Rules of the graph, with what must hold for every graph that they let come about.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  autoSource,
  checkEdge,
  entryOf,
  isPlainChain,
  nextStep,
  reachable,
  spliceOf,
} from '../../../src/modules/features/workflows/definition/graph'
import type { Graph, Step, StepType, Transition } from '../../../src/modules/features/workflows/words'

const step = (id: string, type: StepType = 'DELAY', config = {}): Step => ({
  id,
  type,
  name: id,
  config,
  templateId: null,
})

/** `a>b`, `a>b:yes`, `a>b:EVENT`, with `*` at the end for an automatic one. */
function edge(text: string): Transition {
  const [, from, to, label, star] = /^(\w+)>(\w+)(?::(\w+))?(\*)?$/.exec(text)!
  const isWait = label === 'EVENT' || label === 'TIMEOUT'
  return {
    ...{ id: text, fromStepId: from!, toStepId: to!, priority: 0, automatic: star === '*' },
    branch: label && !isWait ? label : null,
    waitOutcome: isWait ? label : null,
  }
}

const graph = (steps: Step[], edges: string[]): Graph => ({ steps, transitions: edges.map(edge) })
const trigger = step('t', 'TRIGGER')
const judge = (of: Graph, text: string) => checkEdge(of, edge(text))

describe('an execution begins', () => {
  test('at the trigger, and goes on at its target', () => {
    const of = graph([trigger, step('a'), step('b')], ['t>b'])
    expect([entryOf(of)?.id, nextStep(of, trigger)?.id]).toEqual(['t', 'b'])
  })
  test('where the trigger leads nowhere, at the first step that no other leads to', () => {
    const of = graph([trigger, step('b'), step('a')], ['a>b'])
    expect(nextStep(of, trigger)?.id).toBe('a')
  })
  test('nowhere in an empty graph', () => {
    expect(nextStep(graph([trigger], []), trigger)).toBeUndefined()
    expect(entryOf(graph([], []))).toBeUndefined()
  })
})

describe('a wait goes on', () => {
  const wait = step('w', 'WAIT_FOR_EVENT')
  for (const [words, edges, onEvent, onTimeout] of [
    ['by the edge of its outcome', ['w>a:EVENT', 'w>b:TIMEOUT'], 'a', 'b'],
    ['by the one edge in both cases', ['w>a'], 'a', 'a'],
    ['by the plain edge where the outcome has none', ['w>a:EVENT', 'w>b'], 'a', 'b'],
    ['nowhere where the outcome has none', ['w>a:EVENT'], 'a', undefined],
  ] as const)
    test(words, () => {
      const of = graph([wait, step('a'), step('b')], [...edges])
      expect(nextStep(of, wait, { waitOutcome: 'EVENT' })?.id).toBe(onEvent)
      expect(nextStep(of, wait, { waitOutcome: 'TIMEOUT' })?.id).toBe(onTimeout)
    })
})

test('a branch without an edge ends', () => {
  const condition = step('c', 'CONDITION')
  const of = graph([condition, step('a')], ['c>a:yes'])
  expect(nextStep(of, condition, { branch: 'yes' })?.id).toBe('a')
  expect(nextStep(of, condition, { branch: 'no' })).toBeUndefined()
})

describe('an automatic edge', () => {
  const of = graph([trigger, step('a'), step('b')], ['t>a*'])
  test('is adopted when the same is asked for', () =>
    expect(judge(of, 't>a')).toEqual({ verdict: 'adopt', id: 't>a*' }))
  test('yields to another', () => expect(judge(of, 't>b')).toEqual({ verdict: 'add', replaces: ['t>a*'] }))
  test('does not count when a loop is looked for that it would have closed', () => {
    const chain = graph([trigger, step('a'), step('b')], ['t>a', 'a>b*'])
    expect(judge(chain, 'b>a')).toEqual({ verdict: 'add', replaces: ['a>b*'] })
    const asked = graph([trigger, step('a'), step('b')], ['t>a', 'a>b'])
    expect(judge(asked, 'b>a').verdict).toBe('refuse')
    expect(judge(graph([step('a'), step('b'), step('c')], ['a>b*', 'b>c']), 'a>c')).toEqual({
      verdict: 'add',
      replaces: ['a>b*'],
    })
  })
})

test('a sound graph can be built edge by edge in any order, whatever was connected automatically before', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  fc.assert(
    fc.property(
      fc.shuffledSubarray(names, { minLength: names.length }),
      fc.shuffledSubarray(names, { minLength: names.length }),
      fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
      (made, order, order2) => {
        // As steps are added, each is connected behind the one before.
        const steps = [trigger, ...made.map(name => step(name))]
        let of: Graph = graph(
          steps,
          steps.slice(1).map(({ id }, index) => `${steps[index]!.id}>${id}*`),
        )
        const wanted = order.map((name, index) => `${index === 0 ? 't' : order[index - 1]}>${name}`)
        const turns = wanted.map((edge, index) => [order2[index]!, edge] as const).sort(([a], [b]) => a - b)
        for (const [, edge] of turns) {
          const verdict = judge(of, edge)
          expect([edge, verdict.verdict]).not.toEqual([edge, 'refuse'])
          const gone = verdict.verdict === 'add' ? verdict.replaces : []
          const kept = of.transitions
            .filter(({ id }) => !gone.includes(id))
            .map(each =>
              verdict.verdict === 'adopt' && each.id === verdict.id ? { ...each, automatic: false } : each,
            )
          const [from, to] = edge.split('>') as [string, string]
          const added = { fromStepId: from, toStepId: to, branch: null, waitOutcome: null, priority: 0 }
          of = {
            steps,
            transitions:
              verdict.verdict === 'add' ? [...kept, { id: edge, automatic: false, ...added }] : kept,
          }
        }
        expect(of.transitions.map(each => `${each.fromStepId}>${each.toStepId}`).sort()).toEqual(
          wanted.sort(),
        )
      },
    ),
  )
})

describe('a new step is connected', () => {
  const exit = step('x', 'EXIT')
  for (const [words, of, asked, expected] of [
    ['behind the end of a chain', graph([trigger, step('a')], ['t>a']), undefined, 'a'],
    ['behind the trigger', graph([trigger], []), undefined, 't'],
    ['not behind an exit', graph([trigger, exit], ['t>x']), undefined, undefined],
    ['not when it is asked not to', graph([trigger], []), false, undefined],
    [
      'not once there is a condition',
      graph([trigger, step('c', 'CONDITION')], ['t>c']),
      undefined,
      undefined,
    ],
    ['not where a step stands apart', graph([trigger, step('a'), step('b')], ['t>a']), undefined, undefined],
    [
      'behind the youngest end when it is asked for',
      graph([trigger, step('a'), step('b')], ['t>a']),
      true,
      'b',
    ],
  ] as const)
    test(words, () => expect(autoSource(of, asked)?.id).toBe(expected!))
})

test('splicing leads all that came before to what comes behind', () => {
  const of = graph([step('c', 'CONDITION'), step('a'), step('b')], ['c>a:yes', 'c>b:no', 'a>b'])
  expect(spliceOf(of, of.steps[1]!)).toEqual({ retarget: ['c>a:yes'], to: 'b' })
  expect(spliceOf(of, of.steps[2]!)).toEqual({ retarget: [], to: undefined })
  expect(spliceOf(of, of.steps[0]!)).toHaveProperty('refused')
})

describe('whatever is asked for', () => {
  const types: StepType[] = ['DELAY', 'CONDITION', 'WAIT_FOR_EVENT', 'EXIT', 'SEND_EMAIL']
  const count = 8
  const asked = fc.record({
    from: fc.nat(count),
    to: fc.nat(count),
    branch: fc.constantFrom(null, 'yes', 'no', 'other'),
    waitOutcome: fc.constantFrom(null, 'EVENT' as const, 'TIMEOUT' as const),
    automatic: fc.boolean(),
  })

  test('the graph has no loop, one way out of a case, and every walk ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...types), { minLength: count, maxLength: count }),
        fc.array(asked, { maxLength: 40 }),
        (kinds, edges) => {
          const steps = [trigger, ...kinds.map((type, index) => step(`s${index}`, type))]
          let of: Graph = { steps, transitions: [] }
          for (const [index, { from, to, automatic, ...label }] of edges.entries()) {
            const wanted = { fromStepId: steps[from]!.id, toStepId: steps[to]!.id, ...label }
            const verdict = checkEdge(of, wanted)
            if (verdict.verdict !== 'add') continue
            const kept = of.transitions.filter(each => !verdict.replaces.includes(each.id))
            of = { steps, transitions: [...kept, { id: String(index), priority: 0, automatic, ...wanted }] }
          }
          const cases = of.transitions.map(each => `${each.fromStepId} ${each.branch} ${each.waitOutcome}`)
          expect(new Set(cases).size).toBe(cases.length)
          for (const { fromStepId, toStepId } of of.transitions) {
            expect(reachable(of, toStepId).has(fromStepId)).toBe(false)
            expect(toStepId).not.toBe('t')
          }
          const source = autoSource(of, undefined)
          if (source) expect(isPlainChain(of)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
