// Visits every state that a model of delivery can reach, and says what is wrong with the first bad one, and how one gets there.
import { type Action, actions, after, begin, type Flaws, isFault, type State, type Worker } from './delivery'

export interface Visit {
  state: State
  /** How the state was reached first, in the fewest steps. */
  from?: Visit
  by?: Action
  /** States that follow without a further fault. */
  next: Visit[]
}

/** Ends early at a state in which something is wrong. */
export function explore(faults: number, flaws: Flaws = {}): Visit[] {
  const first: Visit = { state: begin(faults), next: [] }
  const seen = new Map([[keyOf(first.state), first]])
  const all = [first]
  for (const visit of all) {
    if (fault(visit.state, faults)) return all
    for (const by of actions(visit.state, flaws)) {
      const state = after(visit.state, by, flaws)
      const key = keyOf(state)
      let found = seen.get(key)
      if (!found) {
        found = { state, from: visit, by, next: [] }
        seen.set(key, found)
        all.push(found)
      }
      if (!isFault(by)) visit.next.push(found)
    }
  }
  return all
}

/** Equal for states that differ only in the names of workers and leases. */
function keyOf(state: State): string {
  const { A, B } = state.workers
  return [named(state, A, B), named(state, B, A)].toSorted()[0]!
}

function named(state: State, first: Worker, second: Worker): string {
  const { message, job, claimIsOnDisk, leases, told, counted, copies, faults } = state
  const names = new Map([[0, 0]])
  const name = (lease: number): number => {
    if (!names.has(lease)) names.set(lease, names.size)
    return names.get(lease)!
  }
  const worker = ({ lease, jobLease, step, jobAttempt, attempt, answer }: Worker): string =>
    [name(lease), name(jobLease), step, jobAttempt, attempt, answer].join()
  const parts = [
    worker(first),
    worker(second),
    job && [name(job.lease), job.state, job.attempt].join(),
    message && [message.status, message.attempts].join(),
    [claimIsOnDisk, told, counted.sent, counted.failed, copies, faults].join(),
  ]
  const known = Object.keys(leases).map(
    lease => `${names.get(Number(lease)) ?? 'old'}${leases[Number(lease)]}`,
  )
  return [...parts, ...known.toSorted()].join(' ')
}

/** The actions from the beginning to this state. */
export function path(visit: Visit): Action[] {
  return visit.from && visit.by ? [...path(visit.from), visit.by] : []
}

/** What is wrong with a model, and the fewest steps that lead there; undefined if nothing is. */
export function verdict(faults: number, flaws: Flaws = {}): { wrong: string; path: string[] } | undefined {
  const all = explore(faults, flaws)
  const bad = all.find(({ state }) => fault(state, faults)) ?? stuck(all)[0]
  if (!bad) return undefined
  const wrong = fault(bad.state, faults) ?? 'an accepted message never ends'
  return {
    wrong,
    path: path(bad).map(({ name, worker, answer }) => [name, worker, answer].filter(Boolean).join(' ')),
  }
}

/** What must hold in every state; undefined if it does. */
export function fault(
  { message, job, told, counted, copies, faults }: State,
  allowed: number,
): string | undefined {
  if (told && !message) return 'an accepted message is lost'
  if (!message) return undefined
  const isOpen = message.status === 'PENDING' || message.status === 'SENDING'
  if (isOpen && (!job || job.state === 'failed')) return 'nobody will send an open message'
  if (counted.sent + counted.failed > 1) return 'a message ended twice'
  if (counted.sent !== Number(message.status === 'SENT'))
    return 'what was counted as sent is not what is there'
  if (counted.failed !== Number(message.status === 'FAILED'))
    return 'what was counted as failed is not what is there'
  if (message.status === 'SENT' && copies === 0) return 'a message is called sent that nobody has'
  // The fault itself, and the look of a worker that finds its message in other hands.
  if (copies > 1 + 2 * (allowed - faults)) return 'more copies have left than faults explain'
  return undefined
}

/** States from which the message never ends, even if nothing fails any more. */
export function stuck(all: readonly Visit[]): Visit[] {
  const before = new Map<Visit, Visit[]>()
  for (const visit of all)
    for (const next of visit.next) {
      const known = before.get(next)
      if (known) known.push(visit)
      else before.set(next, [visit])
    }
  const ends = new Set(all.filter(({ state }) => hasEnded(state)))
  for (const end of ends) for (const visit of before.get(end) ?? []) ends.add(visit)
  return all.filter(visit => !ends.has(visit))
}

function hasEnded({ message, job }: State): boolean {
  return job === null && (message?.status === 'SENT' || message?.status === 'FAILED')
}
