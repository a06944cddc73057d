// Which messages an execution that waits may send when it goes on, as far as its graph shows before anything has happened. Pure.
import { branchesOf, type Graph, nextStep, type Step, stepOf } from '../../features/workflows'

export interface MailAhead {
  stepId: string
  stepName: string
  templateId: string | null
}

export interface Ahead {
  mails: MailAhead[]
  /** A CONDITION comes before one of them: which of them are sent is not known yet. */
  isConditional: boolean
}

/** The mail steps from where the waiting ends up to where the execution waits again, the nearest first. */
export function mailsAhead(graph: Graph, stepId: string): Ahead {
  const ahead: Ahead = { mails: [], isConditional: false }
  const from = stepOf(graph, stepId)
  if (!from) return ahead
  const steps = new Set(behind(graph, from, 'TIMEOUT'))
  // A Set that grows while it is walked is walked to its new end.
  for (const step of steps) {
    if (step.type === 'SEND_EMAIL')
      ahead.mails.push({ stepId: step.id, stepName: step.name, templateId: step.templateId })
    if (step.type === 'DELAY' || step.type === 'WAIT_FOR_EVENT' || step.type === 'EXIT') continue
    for (const next of behind(graph, step)) steps.add(next)
  }
  ahead.isConditional = [...steps].some(
    step => step.type === 'CONDITION' && behind(graph, step).some(next => leadsToMail(graph, next)),
  )
  return ahead
}

function leadsToMail(graph: Graph, from: Step): boolean {
  const steps = new Set([from])
  for (const step of steps) {
    if (step.type === 'SEND_EMAIL') return true
    if (step.type === 'DELAY' || step.type === 'WAIT_FOR_EVENT') continue
    for (const next of behind(graph, step)) steps.add(next)
  }
  return false
}

function behind(graph: Graph, step: Step, waitOutcome?: 'TIMEOUT'): Step[] {
  const exits =
    step.type === 'CONDITION'
      ? branchesOf(step).map(branch => ({ branch }))
      : [waitOutcome && step.type === 'WAIT_FOR_EVENT' ? { waitOutcome } : {}]
  return exits.flatMap(exit => nextStep(graph, step, exit) ?? [])
}
