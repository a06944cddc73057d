// What each action of the model of a campaign makes of a state. A step that the program takes in one transaction is one here.
import {
  type Action,
  type Answer,
  type Database,
  type Flaws,
  fresh,
  holds,
  isFault,
  isOpen,
  isSending,
  type Key,
  type State,
  type Step,
  type Worker,
} from './campaign'

/** The state afterwards; the given one stays as it is. */
export function after(before: State, action: Action, flaws: Flaws = {}): State {
  const state = copied(before)
  if (isFault(action)) state.faults--
  const worker = action.worker && state.workers[action.worker]
  if (worker && action.name === 'step') stepOf[worker.step]?.(state, worker, flaws, before)
  else byName[action.name]?.(state, action, flaws)
  return state
}

function copied(state: State): State {
  const { A, B } = state.workers
  const { campaign, rows, slices, jobs, counted } = state.db
  return {
    ...state,
    db: {
      campaign: { ...campaign },
      rows: rows.map(row => row && { ...row }),
      slices: slices.map(slice => ({ ...slice })),
      jobs: new Map([...jobs].map(([key, job]) => [key, { ...job }])),
      counted: { ...counted },
    },
    workers: { A: { ...A }, B: { ...B } },
    copies: [...state.copies],
  }
}

function enqueue({ jobs }: Database, keys: Key[], { forgetsWishes }: Flaws): void {
  for (const key of keys) {
    const job = jobs.get(key)
    if (!job) jobs.set(key, { by: null, again: false })
    else if (job.by && !forgetsWishes) job.again = true
  }
}

const openSlices = ({ slices }: Database): number[] =>
  [...slices.keys()].filter(index => !slices[index]!.isDone)

/** The job is queued again; whoever had it may not know. */
function putBack(db: Database, key: Key | null): void {
  if (key !== null) db.jobs.set(key, { by: null, again: false })
}

const byName: Partial<Record<Action['name'], (state: State, action: Action, flaws: Flaws) => void>> = {
  // Its commit does not wait for the disk.
  claim(state, { worker, key }) {
    state.db.jobs.get(key!)!.by = worker!
    Object.assign(state.workers[worker!], { job: key!, step: 'look' })
  },
  answer(state, { worker, answer }) {
    const { db, copies, workers } = state
    Object.assign(workers[worker!], { step: 'settle', answer })
    if (answer === 'taken') copies[db.slices[workers[worker!].job as number]!.page]!++
  },
  'relay unheard'(state, { worker }) {
    byName.answer!(state, { name: 'answer', worker: worker!, answer: 'taken' }, {})
    state.workers[worker!].answer = 'later'
  },
  stop(state, { worker }) {
    state.workers[worker!] = fresh()
  },
  'process dies'(state, { worker }) {
    putBack(state.db, state.workers[worker!].job)
    Object.assign(state, { disk: null })
    state.workers[worker!] = fresh()
  },
  'lease lost'(state, { worker }) {
    putBack(state.db, state.workers[worker!].job)
    state.disk = null
  },
  'database dies'(state) {
    state.db = state.disk!
    state.disk = null
  },
  pause(state) {
    state.db.campaign.isPaused = true
    state.disk = null
  },
  resume(state, _, flaws) {
    state.db.campaign.isPaused = false
    enqueue(state.db, ['expand', ...openSlices(state.db)], flaws)
    state.disk = null
  },
  cancel(state, _, flaws) {
    Object.assign(state.db.campaign, { status: 'CANCELLED', isPaused: false })
    enqueue(state.db, ['close'], flaws)
    state.disk = null
  },
  retry(state, _, flaws) {
    const { db } = state
    for (const slice of db.slices) {
      const row = db.rows[slice.page]!
      if (row.status !== 'FAILED') continue
      row.status = 'PENDING'
      slice.isDone = false
      db.counted.failed--
    }
    db.campaign.status = 'SENDING'
    if (!db.campaign.isPaused) enqueue(db, openSlices(db), flaws)
    Object.assign(state, { disk: null, persons: state.persons.filter(name => name !== 'retry') })
  },
}

type Act = (state: State, worker: Worker, flaws: Flaws, before: State) => void

const stepOf: Partial<Record<Step, Act>> = {
  look({ db }, worker, { ignoresDoneAtFirst }) {
    const { status, isPaused, cursor, isExpanded } = db.campaign
    if (worker.job === 'expand') {
      const isLeft = isSending(db) && !isExpanded
      Object.assign(worker, isLeft ? { step: 'page', next: cursor } : { step: 'finish' })
    } else if (worker.job === 'close') worker.step = status === 'CANCELLED' ? 'close' : 'done'
    else if (!db.slices[worker.job!] || db.slices[worker.job!]!.isDone)
      worker.step = ignoresDoneAtFirst ? 'done' : 'finish'
    else if (isPaused) worker.step = 'done'
    else worker.step = status === 'SENDING' ? 'take' : 'conclude'
  },
  /** Row, slice, cursor and job. Only the last commit waits for the disk, because the worker is done then. */
  page(state, worker, flaws, before) {
    const { status, isExpanded, cursor } = state.db.campaign
    const isOurs = status === 'SENDING' && !isExpanded && (cursor === worker.next || flaws.noCursorGuard)
    if (!isOurs) {
      worker.step = flaws.leavesMovedCursor ? 'finish' : 'look'
      return
    }
    const { db } = state
    const isLast = worker.next === db.rows.length - 1
    const page = worker.next++
    if (isLast && !flaws.lastPageDoesNotWait) state.disk = null
    else if (state.faults > 0) state.disk ??= before.db
    if (db.rows[page] && flaws.noUniqueIndex) state.wrong = 'a recipient is recorded twice'
    db.rows[page] ??= { status: 'PENDING', attempts: 0 }
    db.slices.push({ page, isDone: false })
    Object.assign(db.campaign, { cursor: worker.next, isExpanded: isLast })
    worker.step = isLast ? 'finish' : 'page'
    if (flaws.sliceJobComesLater) worker.step = 'enqueue'
    else enqueue(db, [db.slices.length - 1], flaws)
  },
  enqueue({ db }, worker, flaws) {
    enqueue(db, [db.slices.length - 1], flaws)
    worker.step = worker.next === db.rows.length ? 'finish' : 'page'
  },
  /** A row found SENDING was left by a process that died. */
  take(state, worker, { takesOnlyPending, takesWhateverTheStatus }) {
    const { db } = state
    worker.step = 'conclude'
    const row = rowOf(db, worker)
    if (!row || !isOpen(row) || (takesOnlyPending && row.status === 'SENDING')) return
    if (!isSending(db) && !takesWhateverTheStatus) return
    if (!isSending(db)) state.wrong = 'a recipient is taken although the campaign has been stopped'
    row.status = 'SENDING'
    Object.assign(worker, { step: 'send', attempt: ++row.attempts })
    state.disk = null
  },
  settle(state, worker, { settlesWithoutProof, countsLater }) {
    const { db } = state
    const row = rowOf(db, worker)
    const { answer, attempt } = worker
    Object.assign(worker, { step: 'conclude', attempt: 0, answer: 'later' })
    state.disk = null
    if (!row || !((row.status === 'SENDING' && row.attempts === attempt) || settlesWithoutProof)) return
    if (!isOpen(row)) state.wrong = 'a row ends twice'
    row.status = answer === 'taken' ? 'SENT' : answer === 'refused' ? 'FAILED' : 'PENDING'
    if (answer === 'put back') row.attempts--
    if (countsLater) Object.assign(worker, { step: 'count', answer })
    else count(db, answer)
  },
  count({ db }, worker) {
    count(db, worker.answer)
    worker.step = 'conclude'
  },
  conclude(state, worker, flaws) {
    const { db } = state
    const slice = db.slices[worker.job as number]
    worker.step = 'done'
    if (!slice || slice.isDone) {
      if (!flaws.ignoresDoneAtLast) worker.step = 'finish'
    } else if (db.campaign.status === 'CANCELLED') {
      failRest(state, slice, ['PENDING', 'SENDING'])
    } else if (isOpen(db.rows[slice.page]!) && !flaws.marksUnseen) {
      if (!db.campaign.isPaused) worker.step = 'come back'
    } else if (flaws.marksUnlocked) worker.step = 'mark'
    else stepOf.mark!(state, worker, flaws, state)
  },
  mark(state, worker) {
    state.db.slices[worker.job as number]!.isDone = true
    state.disk = null
    worker.step = 'finish'
  },
  finish(state, worker, { finishesUnlocked }) {
    const { campaign } = state.db
    const isReady = campaign.isExpanded && openSlices(state.db).length === 0
    worker.step = 'done'
    if (isReady && finishesUnlocked) worker.step = 'finish unlocked'
    else if (isReady) stepOf['finish unlocked']!(state, worker, {}, state)
  },
  'finish unlocked'(state, worker) {
    const { campaign } = state.db
    worker.step = 'done'
    if (campaign.status !== 'SENDING') return
    Object.assign(campaign, { status: 'SENT', isPaused: false })
    state.disk = null
  },
  /** Slice after slice, each in its transaction. */
  close(state, worker, flaws) {
    const slice = state.db.slices[worker.next++]
    state.disk = null
    if (slice) {
      if (!slice.isDone) failRest(state, slice, ['PENDING'])
      return
    }
    if (!flaws.closesWithoutJobs) enqueue(state.db, openSlices(state.db), flaws)
    worker.step = 'done'
  },
  done: end,
  'come back': end,
}

function count({ counted }: Database, answer: Answer): void {
  if (answer === 'taken') counted.sent++
  if (answer === 'refused') counted.failed++
}

function rowOf(db: Database, { job }: Worker): Database['rows'][number] {
  return db.rows[db.slices[job as number]?.page ?? -1] ?? null
}

function failRest(state: State, slice: Database['slices'][number], left: string[]): void {
  const row = state.db.rows[slice.page]!
  if (left.includes(row.status)) {
    row.status = 'FAILED'
    state.db.counted.failed++
  }
  slice.isDone = !isOpen(row)
  state.disk = null
}

function end(state: State, worker: Worker): void {
  const { db, workers } = state
  const name = workers.A === worker ? 'A' : 'B'
  if (holds(state, name)) {
    if (worker.step === 'come back' || db.jobs.get(worker.job!)!.again) putBack(db, worker.job)
    else db.jobs.delete(worker.job!)
    state.disk = null
  }
  workers[name] = fresh()
}
