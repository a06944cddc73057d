// The engine as a function, and what holds for every graph and every sequence of signals.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkEdge } from '../../../src/modules/features/workflows/definition/graph'
import {
  type Facts,
  firstState,
  isActive,
  isFree,
  type Signal,
  type State,
  step as take,
} from '../../../src/modules/features/workflows/runs/engine'
import type { Graph, Step, StepType, Transition, Values } from '../../../src/modules/features/workflows/words'

const step = (id: string, type: StepType, config: Values = {}): Step => ({
  id,
  type,
  name: id,
  config,
  templateId: null,
})
const now = new Date('2026-03-01T00:00:00.000Z')
const facts: Facts = {
  now,
  contact: { email: 'a@b.test', subscribed: true, data: { n: 1 } },
  projectDisabled: false,
}

const line = (...steps: Step[]): Graph => ({
  steps,
  transitions: steps.slice(1).map(
    (to, index): Transition => ({
      ...{
        id: String(index),
        fromStepId: steps[index]!.id,
        toStepId: to.id,
        branch: null,
        waitOutcome: null,
        priority: 0,
        automatic: false,
      },
    }),
  ),
})

test('without a trigger an execution begins at the first step, and in an empty graph it is over', () => {
  expect(firstState(line(step('a', 'EXIT')), {})).toMatchObject({ status: 'RUNNING', stepId: 'a' })
  expect(firstState(line(), {})).toMatchObject({ status: 'COMPLETED', stepId: null })
})

test('a disabled project and a contact that is gone end it, wherever it stands', () => {
  const graph = line(step('a', 'DELAY', { amount: 1, unit: 'days' }))
  const states = [firstState(graph, {}), take(graph, firstState(graph, {}), facts).state]
  for (const state of states) {
    expect(
      take(graph, state, { ...facts, projectDisabled: true, signal: { kind: 'timer' } }).state,
    ).toMatchObject({
      status: 'CANCELLED',
      exitReason: 'Project disabled',
    })
    expect(
      take(graph, state, { ...facts, contact: undefined, signal: { kind: 'timer' } }).state,
    ).toMatchObject({
      status: 'CANCELLED',
      exitReason: 'Contact deleted',
    })
  }
})

test('inside a step nothing happens without a signal', () => {
  const graph = line(step('a', 'WEBHOOK', { url: 'https://a.test/' }))
  const { state, effects } = take(graph, firstState(graph, {}), facts)
  expect(effects.map(effect => effect.kind)).toEqual(['record', 'callWebhook'])
  expect(take(graph, state, facts)).toEqual({ state, effects: [] })
  expect(take(graph, state, { ...facts, signal: { kind: 'failed', error: 'no' } }).state).toMatchObject({
    status: 'FAILED',
    stepId: 'a',
  })
})

test('a finished execution stays as it is', () => {
  const graph = line(step('a', 'EXIT'))
  const { state } = take(graph, firstState(graph, {}), facts)
  expect(state).toMatchObject({ status: 'EXITED', exitReason: 'exit_step', stepId: null })
  for (const signal of [{ kind: 'timer' }, { kind: 'done', output: {} }] as Signal[])
    expect(take(graph, state, { ...facts, signal })).toEqual({ state, effects: [] })
})

describe('every run', () => {
  const configs: Array<[StepType, Values]> = [
    ['DELAY', { amount: 1, unit: 'minutes' }],
    ['DELAY', {}],
    ['WAIT_FOR_EVENT', { eventName: 'e', timeout: 5 }],
    ['WAIT_FOR_EVENT', { eventName: 'e' }],
    ['CONDITION', { field: 'data.n', operator: 'equals', value: 1 }],
    ['CONDITION', { field: 'event.n', operator: 'exists' }],
    ['WEBHOOK', { url: 'https://a.test/' }],
    ['UPDATE_CONTACT', { updates: { n: 2 } }],
    ['SEND_EMAIL', {}],
    ['EXIT', {}],
  ]
  const count = 9
  const wanted = fc.record({
    from: fc.nat(count),
    to: fc.nat(count),
    branch: fc.constantFrom(null, null, 'yes', 'no'),
    waitOutcome: fc.constantFrom(null, null, 'EVENT' as const, 'TIMEOUT' as const),
  })
  const signals: Signal[] = [
    { kind: 'timer' },
    { kind: 'event', name: 'e', data: { n: 1 }, receivedAt: now },
    { kind: 'done', output: {} },
    { kind: 'failed', error: 'x' },
  ]

  function grown(
    kinds: Array<[StepType, Values]>,
    edges: Array<{
      from: number
      to: number
      branch: string | null
      waitOutcome: 'EVENT' | 'TIMEOUT' | null
    }>,
  ): Graph {
    const steps = [
      step('t', 'TRIGGER'),
      ...kinds.map(([type, config], index) => step(`s${index}`, type, config)),
    ]
    const transitions: Transition[] = []
    for (const [index, { from, to, branch, waitOutcome }] of edges.entries()) {
      const edge = { fromStepId: steps[from]!.id, toStepId: steps[to]!.id, branch, waitOutcome }
      if (checkEdge({ steps, transitions }, edge).verdict === 'add')
        transitions.push({ id: String(index), ...edge, priority: 0, automatic: false })
    }
    return { steps, transitions }
  }

  test('ends, enters a step once at most, and raises the version with every step taken', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...configs), { minLength: count, maxLength: count }),
        fc.array(wanted, { maxLength: 30 }),
        fc.infiniteStream(fc.nat(3)),
        (kinds, edges, chosen) => {
          const graph = grown(kinds, edges)
          let state: State = firstState(graph, {})
          const begun = new Map<string, number>()
          let taken = 0
          while (isActive(state.status)) {
            expect(++taken).toBeLessThanOrEqual(2 * graph.steps.length)
            const kind = chosen.next().value!
            const isWaiting = state.status === 'WAITING'
            // What waits gets what can end a wait, and what is under way what can end it.
            const signal = state.isInside ? signals[isWaiting ? kind % 2 : 2 + (kind % 2)] : undefined
            if (isFree(state)) begun.set(state.stepId!, (begun.get(state.stepId!) ?? 0) + 1)
            const next = take(graph, state, { ...facts, ...(signal ? { signal } : {}) })
            expect(next.state.version).toBe(state.version + 1)
            expect(next.state.wait !== null).toBe(next.state.status === 'WAITING')
            state = next.state
          }
          expect([...begun.values()].every(times => times === 1)).toBe(true)
          expect(state.wait).toBeNull()
        },
      ),
      { numRuns: 300 },
    )
  })

  test('does the same again for the same facts, and changes nothing that it was given', () => {
    const graph = line(
      step('t', 'TRIGGER', { eventName: 'x' }),
      step('w', 'WAIT_FOR_EVENT', { eventName: 'e' }),
    )
    const state = Object.freeze({ ...firstState(graph, Object.freeze({ a: 1 })), isInside: false })
    expect(take(graph, state, Object.freeze(facts))).toEqual(take(graph, state, facts))
  })
})
