// A model of how a campaign of two recipients reaches its end: the rows of the database, two workers with what they remember, the relay, and
// a person who pauses, resumes, cancels and sends again. A page and a slice hold one recipient. Each action is a transaction of the program, or a step
// outside of the database; between any two of them anything may fail. How a job is held is what `delivery.ts` looks at: here whoever loses
// its lease goes on without knowing, while its job is queued again.

export type WorkerName = 'A' | 'B'
export type Answer = 'taken' | 'refused' | 'later' | 'put back'

/** Jobs by their unique keys: the expansion, the closing of what a cancelled campaign leaves, and a slice by its number. */
export type Key = 'expand' | 'close' | number

export interface Database {
  campaign: {
    status: 'SENDING' | 'SENT' | 'CANCELLED'
    isPaused: boolean
    cursor: number
    isExpanded: boolean
  }
  /** Of each contact; null while it is not recorded. */
  rows: Array<null | { status: 'PENDING' | 'SENDING' | 'SENT' | 'FAILED'; attempts: number }>
  slices: Array<{ page: number; isDone: boolean }>
  /** Unfinished ones, and who holds them. `again`: wanted once more while it runs. */
  jobs: Map<Key, { by: WorkerName | null; again: boolean }>
  counted: { sent: number; failed: number }
}

/** What a worker remembers; gone when its process dies. */
export interface Worker {
  job: Key | null
  step: Step
  /** The page or the slice that is next. */
  next: number
  /** The proof that it may settle the recipient. */
  attempt: number
  answer: Answer
}

export type Step =
  | (
      | 'idle'
      | 'look'
      | 'page'
      | 'enqueue'
      | 'take'
      | 'send'
      | 'settle'
      | 'count'
      | 'conclude'
      | 'mark'
      | 'close'
    )
  | ('finish' | 'finish unlocked' | 'done' | 'come back')

export interface State {
  db: Database
  /** What a crash of the database leaves, while a page has not reached the disk. */
  disk: Database | null
  workers: Record<WorkerName, Worker>
  /** What the relay has accepted for each contact. */
  copies: number[]
  /** What a person may still do; sends again once. */
  persons: readonly Person[]
  faults: number
  /** What has happened that never may. */
  wrong: string
}

export interface Action {
  name: 'claim' | 'step' | 'answer' | 'stop' | Person | Fault
  worker?: WorkerName
  key?: Key
  answer?: Answer
}

export type Person = (typeof persons)[number]
const persons = ['pause', 'resume', 'cancel', 'retry'] as const
/** A process dies; it stalls until others have its job; the database dies; the answer of the relay is lost. */
const faults = ['process dies', 'lease lost', 'database dies', 'relay unheard'] as const
type Fault = (typeof faults)[number]

/** What a change of the program would break; the test shows that the model notices each. */
export interface Flaws {
  noUniqueIndex?: boolean
  noCursorGuard?: boolean
  sliceJobComesLater?: boolean
  /** A worker that finds the cursor moved by another leaves the rest to that one. */
  leavesMovedCursor?: boolean
  lastPageDoesNotWait?: boolean
  takesOnlyPending?: boolean
  takesWhateverTheStatus?: boolean
  settlesWithoutProof?: boolean
  countsLater?: boolean
  marksUnseen?: boolean
  /** Looks whether a row is open, and marks the slice in a transaction of its own. */
  marksUnlocked?: boolean
  finishesUnlocked?: boolean
  /** A slice that is done already is nobody's business, at the beginning of a run and at its end. */
  ignoresDoneAtFirst?: boolean
  ignoresDoneAtLast?: boolean
  /** Whoever closes a cancelled campaign trusts that there is a job for what is on its way. */
  closesWithoutJobs?: boolean
  forgetsWishes?: boolean
}

/** How much may happen. */
export interface Space {
  /** Recipients, each a page and a slice. */
  pages: number
  faults: number
  /** What a person may do; who may pause may resume. */
  persons: readonly Person[]
}

export const workers: readonly WorkerName[] = ['A', 'B']
/** From this try on the relay takes the message or refuses it. */
const maxTries = 2

export const fresh = (): Worker => ({ job: null, step: 'idle', next: 0, attempt: 0, answer: 'later' })

export function begin({ pages, faults, persons }: Space): State {
  return {
    db: {
      campaign: { status: 'SENDING', isPaused: false, cursor: 0, isExpanded: false },
      rows: Array.from({ length: pages }, () => null),
      slices: [],
      jobs: new Map([['expand', { by: null, again: false }]]),
      counted: { sent: 0, failed: 0 },
    },
    disk: null,
    workers: { A: fresh(), B: fresh() },
    copies: Array.from({ length: pages }, () => 0),
    persons,
    faults,
    wrong: '',
  }
}

export const isFault = ({ name }: Action): boolean => faults.some(fault => fault === name)
/** What may help a campaign to its end: what nobody has to do, and resuming what is paused. */
export const isExpected = (action: Action): boolean =>
  !isFault(action) && (action.name === 'resume' || !persons.some(person => person === action.name))

export const isOpen = (row: Database['rows'][number]): boolean =>
  row?.status === 'PENDING' || row?.status === 'SENDING'
export const isSending = ({ campaign }: Database): boolean =>
  campaign.status === 'SENDING' && !campaign.isPaused
export const holds = ({ db, workers }: State, name: WorkerName): boolean =>
  workers[name].job !== null && db.jobs.get(workers[name].job)?.by === name

/** What may happen next. */
export function actions(state: State): Action[] {
  const may = workers.flatMap(worker => ofWorker(state, worker))
  if (state.disk) may.push({ name: 'database dies' })
  for (const name of persons) if (mayPerson(state, name)) may.push({ name })
  return may.filter(action => state.faults > 0 || !isFault(action))
}

function mayPerson({ db: { campaign, rows }, persons }: State, name: Person): boolean {
  const { status, isPaused } = campaign
  if (name === 'resume') return status === 'SENDING' && isPaused
  if (!persons.includes(name)) return false
  if (name === 'retry') return status !== 'CANCELLED' && rows.some(row => row?.status === 'FAILED')
  return status === 'SENDING' && (name === 'cancel' || !isPaused)
}

function ofWorker(state: State, worker: WorkerName): Action[] {
  const { db, workers } = state
  const { step, job } = workers[worker]
  if (step === 'idle')
    return [...db.jobs].filter(([, { by }]) => !by).map(([key]) => ({ name: 'claim', worker, key }))
  const isHeld = holds(state, worker)
  const may: Action[] = isHeld
    ? [
        { name: 'process dies', worker },
        { name: 'lease lost', worker },
      ]
    : [{ name: 'stop', worker }]
  if (step !== 'send') return [{ name: 'step', worker }, ...may]
  const { attempts } = db.rows[db.slices[job as number]?.page ?? 0] ?? { attempts: 0 }
  const answers: Answer[] = attempts < maxTries ? ['taken', 'refused', 'later'] : ['taken', 'refused']
  if (!isHeld || !isSending(db)) answers.push('put back')
  return [
    ...answers.map((answer): Action => ({ name: 'answer', worker, answer })),
    ...may,
    { name: 'relay unheard', worker },
  ]
}
