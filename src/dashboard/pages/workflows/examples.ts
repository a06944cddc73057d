// Workflows to begin with: each is copied when somebody chooses it, and belongs to them from then on.
import {
  type AddedType,
  always,
  type Config,
  connect,
  type Edge,
  type Graph,
  newStepId,
  type Port,
  type Step,
} from '../../editor/flow/graph'
import { t } from '../../texts'

export const exampleNames = ['welcome', 'trial', 'winBack', 'cart'] as const
export type ExampleName = (typeof exampleNames)[number]

/** A step with what comes after it, by the case in which it leads there. */
interface Planned {
  type: AddedType
  name: string
  config?: Config
  next?: Planned
  cases?: Record<string, Planned>
}

interface Example {
  eventName: string
  allowReentry?: boolean
  plan: Planned
}

const days = (amount: number) => ({ amount, unit: 'days' })
const daySeconds = 86_400
const happened = (event: string) => ({
  filter: { logic: 'AND', groups: [{ filters: [{ field: `event.${event}`, operator: 'triggered' }] }] },
})

function send(name: string, next?: Planned): Planned {
  return { type: 'SEND_EMAIL', name, next }
}

function pause(amount: number, next: Planned): Planned {
  return { type: 'DELAY', name: t.workflows.types.DELAY, config: days(amount), next }
}

function exit(reason: string): Planned {
  return { type: 'EXIT', name: t.workflows.types.EXIT, config: { reason } }
}

export function exampleOf(name: ExampleName): Example {
  const { mails, checks, reasons } = t.workflows.examples
  switch (name) {
    case 'welcome':
      return {
        eventName: 'contact.subscribed',
        plan: send(
          mails.welcome,
          pause(
            2,
            send(
              mails.firstSteps,
              pause(3, {
                type: 'CONDITION',
                name: checks.active,
                config: happened('activated'),
                cases: { yes: exit(reasons.active), no: send(mails.help) },
              }),
            ),
          ),
        ),
      }
    case 'trial':
      return {
        eventName: 'trial.started',
        plan: pause(11, {
          type: 'CONDITION',
          name: checks.paid,
          config: happened('plan.upgraded'),
          cases: {
            yes: exit(reasons.paid),
            no: send(mails.trialEnds, {
              type: 'WAIT_FOR_EVENT',
              name: checks.paidYet,
              config: { eventName: 'plan.upgraded', timeout: 3 * daySeconds },
              cases: {
                EVENT: send(mails.thanks),
                TIMEOUT: {
                  type: 'UPDATE_CONTACT',
                  name: checks.remember,
                  config: { updates: { trialEnded: true } },
                },
              },
            }),
          },
        }),
      }
    case 'winBack':
      return {
        eventName: 'subscription.cancelled',
        allowReentry: true,
        plan: pause(
          30,
          send(mails.newsletter, {
            type: 'WAIT_FOR_EVENT',
            name: checks.back,
            config: { eventName: 'subscription.started', timeout: 14 * daySeconds },
            cases: { EVENT: exit(reasons.back), TIMEOUT: send(mails.offer) },
          }),
        ),
      }
    case 'cart':
      return {
        eventName: 'cart.updated',
        allowReentry: true,
        plan: {
          type: 'WAIT_FOR_EVENT',
          name: checks.ordered,
          config: { eventName: 'order.placed', timeout: 14_400 },
          cases: {
            EVENT: exit(reasons.ordered),
            TIMEOUT: send(mails.cart, {
              type: 'WAIT_FOR_EVENT',
              name: checks.orderedYet,
              config: { eventName: 'order.placed', timeout: daySeconds },
              cases: { EVENT: exit(reasons.ordered), TIMEOUT: send(mails.lastCall) },
            }),
          },
        },
      }
  }
}

/** The graph of a plan, after a trigger. */
export function planned(trigger: Step, plan: Planned): Graph {
  return plant({ steps: [trigger], transitions: [] as Edge[] }, trigger.id, always, plan)
}

function plant(graph: Graph, from: string, port: Port, plan: Planned): Graph {
  const { type, name, config = {}, next, cases = {} } = plan
  const id = newStepId()
  const step: Step = { id, type, name, config, templateId: null }
  const here = connect({ ...graph, steps: [...graph.steps, step] }, from, port, id)
  const behind = next ? plant(here, id, always, next) : here
  return Object.entries(cases).reduce(
    (grown, [name, behindIt]) => plant(grown, id, portNamed(name), behindIt),
    behind,
  )
}

function portNamed(name: string): Port {
  return name === 'EVENT' || name === 'TIMEOUT'
    ? { branch: null, waitOutcome: name }
    : { branch: name, waitOutcome: null }
}
