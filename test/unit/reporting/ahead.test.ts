// The messages that a waiting execution leads to.
import { expect, test } from 'bun:test'
import type { Graph, StepType, Transition } from '../../../src/modules/features/workflows/words'
import { mailsAhead } from '../../../src/modules/oversight/reporting/upcoming'

/** Steps by their names, which begin with the letter of their type; edges as `from>to` or `from>to:branch or outcome`. */
function graphOf(text: string): Graph {
  const types: Record<string, StepType> = {
    m: 'SEND_EMAIL',
    d: 'DELAY',
    w: 'WAIT_FOR_EVENT',
    c: 'CONDITION',
    u: 'UPDATE_CONTACT',
    x: 'EXIT',
  }
  const edges = text.split(' ').map(edge => /^(\w+)>(\w+)(?::(\w+))?$/.exec(edge)!)
  const names = new Set(edges.flatMap(([, from, to]) => [from!, to!]))
  const steps = [...names].map(name => ({
    id: name,
    name,
    type: types[name[0]!]!,
    templateId: null,
    config: name.startsWith('c') ? { field: 'data.plan', operator: 'equals', value: 'pro' } : {},
  }))
  const transitions = edges.map(([id, from, to, label], priority): Transition => {
    const isOutcome = label === 'EVENT' || label === 'TIMEOUT'
    return {
      id: id!,
      fromStepId: from!,
      toStepId: to!,
      branch: label && !isOutcome ? label : null,
      waitOutcome: isOutcome ? label : null,
      priority,
      automatic: false,
    }
  })
  return { steps, transitions }
}

test.each([
  ['the next mail', 'd1>m1', 'd1', ['m1'], false],
  ['all mails up to the next wait', 'd1>m1 m1>u1 u1>m2 m2>d2 d2>m3', 'd1', ['m1', 'm2'], false],
  ['none behind another wait', 'd1>w1 w1>m1', 'd1', [], false],
  ['none where it ends', 'd1>x1', 'd1', [], false],
  ['both ways of a condition', 'd1>c1 c1>m1:yes c1>m2:no', 'd1', ['m1', 'm2'], true],
  ['a mail before a condition is certain', 'd1>m1 m1>c1 c1>u1:yes c1>u2:no', 'd1', ['m1'], false],
  ['a mail where both ways meet is listed once', 'd1>c1 c1>u1:yes c1>u2:no u1>m1 u2>m1', 'd1', ['m1'], true],
  ['the way of a timeout', 'w1>m1:EVENT w1>m2:TIMEOUT', 'w1', ['m2'], false],
  ['the common way where there is none for a timeout', 'w1>m1', 'w1', ['m1'], false],
  ['nothing where only the event leads on', 'w1>m1:EVENT', 'w1', [], false],
  ['nothing for a step that is not in the graph', 'd1>m1', 'other', [], false],
])('%s', (_name, text, from, mails, isConditional) => {
  const ahead = mailsAhead(graphOf(text), from)
  expect(ahead.mails.map(mail => mail.stepName)).toEqual(mails)
  expect(ahead.isConditional).toBe(isConditional)
})
