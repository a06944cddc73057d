// Whether workflows set each other off endlessly, as far as their definitions show: what starts each of them, and which events its steps
// cause by themselves. What the endpoint of a WEBHOOK step does, and when a segment's condition becomes true, can't be seen here. The events
// of both have lost their cause, so no hops are counted through them either: only the starts per hour bound such a loop. Pure.
import { maxHops, type StepType } from '../words'

/** A workflow as a link of a chain. */
export interface Link {
  id: string
  name: string
  /** The event that starts it. */
  trigger: string
  /** Whether some of its steps send mail. */
  sends: boolean
  subscribes: boolean
  unsubscribes: boolean
}

/**
 * The events that each type of step may cause. A type that causes some carries `hops: execution.hops + 1` to them (`runs/service/effects.ts`),
 * or only the starts per hour bound a loop; and `selectLinks` has to read whether a workflow has such a step.
 */
export const caused: Record<StepType, readonly string[]> = {
  SEND_EMAIL: ['email.sent', 'email.delivery', 'email.bounce', 'email.failed'],
  UPDATE_CONTACT: ['contact.subscribed', 'contact.unsubscribed'],
  CONDITION: [],
  DELAY: [],
  EXIT: [],
  TRIGGER: [],
  WAIT_FOR_EVENT: [],
  WEBHOOK: [],
}

/** The only triggers that a loop can have. */
export const causedEvents = Object.values(caused).flat()

function emitted({ trigger, sends, subscribes, unsubscribes }: Link): Set<string> {
  // Subscribing somebody who has just subscribed changes nothing.
  const optsIn = subscribes && (unsubscribes || trigger !== 'contact.subscribed')
  const optsOut = unsubscribes && (subscribes || trigger !== 'contact.unsubscribed')
  return new Set([
    ...(sends ? caused.SEND_EMAIL : []),
    ...(optsIn ? ['contact.subscribed'] : []),
    ...(optsOut ? ['contact.unsubscribed'] : []),
  ])
}

/** The shortest way from a workflow back to itself; empty if there is none. */
export function loopThrough(first: Link, others: readonly Link[]): Link[] {
  const links = [first, ...others.filter(({ id }) => id !== first.id)]
  const seen = new Set<string>()
  let paths: Link[][] = [[first]]
  while (paths.length > 0) {
    const next: Link[][] = []
    for (const path of paths) {
      const events = emitted(path.at(-1)!)
      for (const link of links.filter(({ trigger }) => events.has(trigger))) {
        if (link.id === first.id) return path
        if (seen.has(link.id)) continue
        seen.add(link.id)
        next.push([...path, link])
      }
    }
    paths = next
  }
  return []
}

export const warningCodes = ['LOOP', 'NOT_CONFIGURED', 'UNREACHABLE'] as const

export interface WorkflowWarning {
  code: (typeof warningCodes)[number]
  message: string
  /** The step that it is about. */
  stepId?: string
  /** In the order in which they set each other off. */
  workflows: Array<{ id: string; name: string }>
}

export function loopWarning(loop: readonly Link[]): WorkflowWarning[] {
  if (loop.length === 0) return []
  const path = [...loop, loop[0]!].map(({ name }) => JSON.stringify(name)).join(' → ')
  const events = [...new Set(loop.map(({ trigger }) => trigger))].join(', ')
  return [
    {
      code: 'LOOP',
      message: `A loop: ${path} (by ${events}). After ${maxHops} of them nothing more is started. Give one of them another trigger, or turn its allowReentry off`,
      workflows: loop.map(({ id, name }) => ({ id, name })),
    },
  ]
}
