// What must hold of one message in every state of its model.
import { type Action, actions, after, begin, type Flaws, isFault, type State, type Worker } from './delivery'
import type { Model } from './explore'

export const deliveryModel = (faults: number, flaws: Flaws = {}): Model<State, Action> => ({
  begin: begin(faults),
  actions: state => actions(state, flaws),
  after: (state, action) => after(state, action, flaws),
  isFault,
  isExpected: action => !isFault(action),
  keyOf,
  wrong: state => wrong(state, faults),
  hasEnded,
  neverEnds: 'an accepted message never ends',
  tell: ({ name, worker, answer }) => [name, worker, answer].filter(Boolean).join(' '),
})

/** What must hold in every state; undefined if it does. */
function wrong({ message, job, told, counted, copies, faults }: State, allowed: number): string | undefined {
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

function hasEnded({ message, job }: State): boolean {
  return job === null && (message?.status === 'SENT' || message?.status === 'FAILED')
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
