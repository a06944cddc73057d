// A model of how one accepted message reaches its end: rows of the database, two workers with what they remember, and the relay. Each
// action is a statement of the program that commits, or a step outside of the database; between any two of them anything may fail. The
// test explores every order of them. `replay.test.ts` does the same actions with the program's own statements and compares the rows.

export type WorkerName = 'A' | 'B'
export type Answer = 'taken' | 'refused' | 'later'

/** What a worker remembers; gone when its process dies. */
export interface Worker {
  /** The lease that it claims with. */
  lease: number
  step: 'idle' | 'claimed' | 'sending' | 'answered' | 'settled'
  /** The proof that it holds the job, and that it may settle the message. */
  jobAttempt: number
  jobLease: number
  attempt: number
  answer: Answer
}

export interface State {
  message: null | { status: 'PENDING' | 'SENDING' | 'SENT' | 'FAILED'; attempts: number }
  job: null | { state: 'queued' | 'running' | 'failed'; attempt: number; lease: number }
  /** Commits of claims do not wait for the disk. */
  claimIsOnDisk: boolean
  /** Rows of `runners`, by the number of the lease. */
  leases: Record<number, 'valid' | 'over'>
  workers: Record<WorkerName, Worker>
  /** What the client was told, what the reports count, and what the relay has accepted. */
  told: boolean
  counted: { sent: number; failed: number }
  copies: number
  faults: number
}

export interface Action {
  name:
    | 'accept'
    | 'claim'
    | 'put back'
    | 'take'
    | 'hand over'
    | 'settle'
    | 'finish'
    | 'expire'
    | 'rescue'
    | 'renew'
    | Fault
  worker?: WorkerName
  answer?: Answer
  lease?: number
}

/** A process dies; it stalls until its lease is over; the database dies; an answer of the database or of the relay is lost. */
const faults = ['process dies', 'process stalls', 'database dies', 'claim unheard', 'relay unheard'] as const
type Fault = (typeof faults)[number]

/** Runs that count, and those beyond them that rescued jobs get. */
export const runs = { max: 2, extra: 3 }

/** From this try on the relay takes the message or refuses it, as the program gives up after a while. */
const maxTries = 3

/** What a change of the program would break; the test shows that the model notices each. */
export interface Flaws {
  /** The message and its job are two transactions. */
  jobComesLater?: boolean
  /** A worker whose attempt is not the last one any more is done with the job nevertheless. */
  finishesUnsettled?: boolean
  takesOnlyPending?: boolean
  settlesWithoutProof?: boolean
  finishesWithoutProof?: boolean
  forgetsUnheardClaims?: boolean
}

export const workers: readonly WorkerName[] = ['A', 'B']
const answers: readonly Answer[] = ['taken', 'refused', 'later']

const fresh = (lease: number): Worker => ({
  lease,
  step: 'idle',
  jobAttempt: 0,
  jobLease: 0,
  attempt: 0,
  answer: 'later',
})

/** `most`: how many faults may happen. */
export function begin(most: number): State {
  return {
    message: null,
    job: null,
    claimIsOnDisk: true,
    leases: { 1: 'valid', 2: 'valid' },
    workers: { A: fresh(1), B: fresh(2) },
    told: false,
    counted: { sent: 0, failed: 0 },
    copies: 0,
    faults: most,
  }
}

export function isFault({ name }: Action): boolean {
  return faults.some(fault => fault === name)
}

/** What may happen next. */
export function actions(state: State, flaws: Flaws = {}): Action[] {
  const all = workers.flatMap(worker => ofWorker(state, worker, flaws))
  if (!state.message || (!state.told && !state.job)) all.push({ name: 'accept' })
  const own = workers.map(worker => state.workers[worker].lease)
  const leases = Object.keys(state.leases).map(Number)
  for (const lease of leases)
    if (state.leases[lease] === 'valid' && !own.includes(lease)) all.push({ name: 'expire', lease })
  const isHeldByNobody = state.job?.state === 'running' && !(state.job.lease in state.leases)
  if (isHeldByNobody || leases.some(lease => state.leases[lease] === 'over')) all.push({ name: 'rescue' })
  if (!state.claimIsOnDisk) all.push({ name: 'database dies' })
  return all.filter(action => state.faults > 0 || !isFault(action))
}

function ofWorker(state: State, worker: WorkerName, flaws: Flaws): Action[] {
  const { step, lease } = state.workers[worker]
  const isValid = state.leases[lease] === 'valid'
  const may: Action[] = []
  if (step === 'idle' && isValid && state.job?.state === 'queued')
    may.push({ name: 'claim', worker }, { name: 'claim unheard', worker })
  const isUnknown = step === 'idle' && state.job?.state === 'running' && state.job.lease === lease
  if (isUnknown && !flaws.forgetsUnheardClaims) may.push({ name: 'put back', worker })
  if (step === 'claimed') may.push({ name: 'take', worker })
  if (step === 'sending') {
    for (const answer of answers)
      if (answer !== 'later' || state.message!.attempts < maxTries)
        may.push({ name: 'hand over', worker, answer })
    may.push({ name: 'relay unheard', worker })
  }
  if (step === 'answered') may.push({ name: 'settle', worker })
  if (step === 'settled') may.push({ name: 'finish', worker })
  if (step !== 'idle' || isUnknown) {
    may.push({ name: 'process dies', worker })
    if (isValid) may.push({ name: 'process stalls', worker })
  }
  if (!isValid) may.push({ name: 'renew', worker })
  return may
}

/** The state afterwards; the given one stays as it is. */
export function after(before: State, action: Action, flaws: Flaws = {}): State {
  const state = copied(before)
  if (isFault(action)) state.faults--
  if (action.worker) steps[action.name]!(state, state.workers[action.worker], action, flaws)
  else apart(state, action, flaws)
  return state
}

function copied(state: State): State {
  const { A, B } = state.workers
  return {
    ...state,
    message: state.message && { ...state.message },
    job: state.job && { ...state.job },
    leases: { ...state.leases },
    workers: { A: { ...A }, B: { ...B } },
    counted: { ...state.counted },
  }
}

function apart(state: State, { name, lease }: Action, flaws: Flaws): void {
  if (name === 'accept') accept(state, flaws)
  if (name === 'expire') state.leases[lease!] = 'over'
  if (name === 'rescue') rescue(state)
  if (name === 'database dies') {
    // The claim was never written; whoever made it goes on without knowing.
    state.job = { state: 'queued', attempt: state.job!.attempt - 1, lease: 0 }
    state.claimIsOnDisk = true
  }
}

function accept(state: State, { jobComesLater }: Flaws): void {
  state.told = !jobComesLater || state.message !== null
  if (!jobComesLater || state.message) state.job = { state: 'queued', attempt: 0, lease: 0 }
  state.message ??= { status: 'PENDING', attempts: 0 }
}

function rescue(state: State): void {
  for (const lease of Object.keys(state.leases).map(Number))
    if (state.leases[lease] === 'over') delete state.leases[lease]
  state.claimIsOnDisk = true
  const { job } = state
  if (job?.state !== 'running' || job.lease in state.leases) return
  job.state = job.attempt < runs.max + runs.extra ? 'queued' : 'failed'
  job.lease = 0
}

type Step = (state: State, worker: Worker, action: Action, flaws: Flaws) => void

const steps: Partial<Record<Action['name'], Step>> = {
  claim: (state, worker) => claim(state, worker, true),
  'claim unheard': (state, worker) => claim(state, worker, false),
  'put back'(state) {
    state.job = { state: 'queued', attempt: state.job!.attempt - 1, lease: 0 }
    state.claimIsOnDisk = true
  },
  take: (state, worker, _, flaws) => take(state, worker, flaws),
  'hand over'(state, worker, { answer }) {
    Object.assign(worker, { step: 'answered', answer })
    if (answer === 'taken') state.copies++
  },
  'relay unheard'(state, worker) {
    Object.assign(worker, { step: 'answered', answer: 'later' })
    state.copies++
  },
  settle: (state, worker, _, flaws) => settle(state, worker, flaws),
  finish: (state, worker, _, flaws) => finish(state, worker, flaws),
  'process stalls'(state, { lease }) {
    state.leases[lease] = 'over'
  },
  'process dies'(state, worker) {
    Object.assign(worker, fresh(nextLease(state)))
    state.leases[worker.lease] = 'valid'
  },
  renew(state, worker) {
    worker.lease = nextLease(state)
    state.leases[worker.lease] = 'valid'
  },
}

function nextLease({ leases, workers: { A, B }, job }: State): number {
  return (
    Math.max(...Object.keys(leases).map(Number), A.lease, B.lease, A.jobLease, B.jobLease, job?.lease ?? 0) +
    1
  )
}

function claim(state: State, worker: Worker, isHeard: boolean): void {
  const attempt = state.job!.attempt + 1
  state.job = { state: 'running', attempt, lease: worker.lease }
  state.claimIsOnDisk = false
  if (isHeard) Object.assign(worker, { step: 'claimed', jobAttempt: attempt, jobLease: worker.lease })
}

/** A row found SENDING was left by a process that died. In the last run it is given up, so that it can't bring down process after process. */
function take(state: State, worker: Worker, { takesOnlyPending }: Flaws): void {
  const { status, attempts } = state.message!
  state.claimIsOnDisk = true
  worker.step = 'settled'
  worker.answer = 'taken'
  if (status !== 'PENDING' && (status !== 'SENDING' || takesOnlyPending)) return
  state.message = { status: 'SENDING', attempts: attempts + 1 }
  const isGivenUp = status === 'SENDING' && worker.jobAttempt >= runs.max
  Object.assign(worker, {
    step: isGivenUp ? 'answered' : 'sending',
    attempt: attempts + 1,
    answer: 'refused',
  })
}

/** Another worker may have taken the message meanwhile, and fail: the job comes back to look. */
function settle(state: State, worker: Worker, { settlesWithoutProof, finishesUnsettled }: Flaws): void {
  worker.step = 'settled'
  state.claimIsOnDisk = true
  const { status, attempts } = state.message!
  const isOurs = status === 'SENDING' && attempts === worker.attempt
  if (!isOurs && !finishesUnsettled && (status === 'PENDING' || status === 'SENDING')) worker.answer = 'later'
  if (!isOurs && !settlesWithoutProof) return
  state.message = { status: outcome[worker.answer], attempts }
  if (worker.answer === 'taken') state.counted.sent++
  if (worker.answer === 'refused') state.counted.failed++
}

const outcome = { taken: 'SENT', refused: 'FAILED', later: 'PENDING' } as const

function finish(state: State, worker: Worker, { finishesWithoutProof }: Flaws): void {
  const { job } = state
  const { answer, jobAttempt, jobLease, lease } = worker
  state.claimIsOnDisk = true
  Object.assign(worker, fresh(lease))
  const holds = job?.state === 'running' && job.attempt === jobAttempt && job.lease === jobLease
  if (!job || !(holds || finishesWithoutProof)) return
  state.job = answer === 'later' ? { state: 'queued', attempt: job.attempt - 1, lease: 0 } : null
}
