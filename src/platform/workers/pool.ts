// A few threads for work that may hold up whoever does it, with a bound on the time of each piece: a thread that is still busy then is
// ended and its memory given back. They start when there is work, and end when there has been none for a while. What counts is the
// processor's time where it is known: threads have the lowest priority, and a busy machine is no fault of the work.
import { threadCpuMs } from './cpu-time'

export interface WorkerPool<J, A> {
  /**
   * The answer to a job; throws Overrun where it took more than `limitMs` of processor time, or four times as long by the clock. Jobs of one
   * owner wait for each other before they wait for those of others; throws Withdrawn where `isWanted` says no when its turn comes.
   */
  run(owner: string, job: J, limitMs: number, options?: RunOptions): Promise<A>
  /** Threads at the moment. */
  readonly threads: number
}

export interface RunOptions {
  /** Asked when its turn comes. */
  isWanted?: () => boolean
  /**
   * Called with what it took when it has ended, well or not: milliseconds of processor time where they are known, otherwise of the clock.
   */
  spent?: (ms: number) => void
  /** Handed over without a copy: whoever asks has it no more. */
  transfer?: ArrayBuffer[]
}

/** Ended because its time was over. */
export class Overrun extends Error {
  override name = 'Overrun'
}

/** Not done, because nobody wanted it any more when its turn came. */
export class Withdrawn extends Error {
  override name = 'Withdrawn'
}

/** A thread could not be had: the machine is too busy, and the same work may be done later. */
export class Unstarted extends Error {
  override name = 'Unstarted'
}

export interface WorkerPoolOptions {
  /** Makes a thread that says its `ownThreadId()` once, and then answers every message with one. */
  start: () => Worker
  size: number
  /** Threads end after this long without work. */
  idleMs: number
  /** They do small things that take as long each time: the clock is enough to tell that one hangs. */
  areLean?: boolean
}

/** A thread that has not begun by then never will. */
const startMs = 30_000
/** Of the clock for one of the processor: somebody waits for the answer, however busy the machine is. */
const maxSlowdown = 4
/** Between two checks of what a thread has used. */
const minPollMs = 20

interface Task<J, A> {
  job: J
  limitMs: number
  options: RunOptions
  resolve(answer: A): void
  reject(error: Error): void
}

interface Thread<J, A> {
  worker: Worker
  task: Task<J, A> | undefined
  isReady: boolean
  id: number | undefined
  /** When it was given what it works on. */
  began: { clock: number; cpu: number | undefined }
  timer: Timer | undefined
}

export function createPool<J, A>({ start, size, idleMs, areLean }: WorkerPoolOptions): WorkerPool<J, A> {
  const waiting = new Map<string, Task<J, A>[]>()
  const threads = new Set<Thread<J, A>>()

  const end = (thread: Thread<J, A>): void => {
    clearTimeout(thread.timer)
    threads.delete(thread)
    thread.worker.terminate()
  }
  const arm = (thread: Thread<J, A>, ms: number, isOver: () => void): void => {
    clearTimeout(thread.timer)
    thread.timer = setTimeout(isOver, ms)
    if (!thread.task) thread.timer.unref()
  }
  /** Takes its task away from it. */
  const finish = (thread: Thread<J, A>): Task<J, A> | undefined => {
    const { task } = thread
    task?.options.spent?.(usedMs(thread))
    thread.task = undefined
    return task
  }
  const fail = (thread: Thread<J, A>, error: Error): void => {
    const task = finish(thread)
    end(thread)
    task?.reject(error)
    setImmediate(next)
  }
  const watch = (thread: Thread<J, A>, { limitMs }: Task<J, A>): void => {
    thread.began = { clock: performance.now(), cpu: areLean ? undefined : threadCpuMs(thread.id) }
    const check = (): void => {
      const left = limitMs - usedMs(thread)
      const isGivenUp = performance.now() - thread.began.clock >= limitMs * maxSlowdown
      if (left <= 0 || isGivenUp) fail(thread, new Overrun('the work took too long'))
      else arm(thread, Math.max(left, minPollMs), check)
    }
    arm(thread, limitMs, check)
  }
  const hand = (thread: Thread<J, A>): void => {
    const { task } = thread
    if (!task || !thread.isReady) return
    watch(thread, task)
    try {
      thread.worker.postMessage(task.job, task.options.transfer ?? [])
    } catch (error) {
      fail(thread, error instanceof Error ? error : new Error(String(error)))
    }
  }
  const begin = (): Thread<J, A> => {
    const worker = start()
    const thread: Thread<J, A> = {
      worker,
      task: undefined,
      isReady: false,
      id: undefined,
      began: { clock: 0, cpu: undefined },
      timer: undefined,
    }
    threads.add(thread)
    arm(thread, startMs, () => fail(thread, new Unstarted('a thread did not start')))
    worker.addEventListener('message', ({ data }: MessageEvent) => {
      if (!thread.isReady) {
        thread.isReady = true
        thread.id = typeof data === 'number' ? data : undefined
        return hand(thread)
      }
      const task = finish(thread)
      arm(thread, idleMs, () => end(thread))
      task?.resolve(data as A)
      // Whoever got the answer may have something to say about those that wait.
      setImmediate(next)
    })
    worker.addEventListener('error', event => fail(thread, new Error(`a thread failed: ${event.message}`)))
    return thread
  }
  const next = (): void => {
    while (waiting.size > 0) {
      const idle = [...threads].find(thread => !thread.task)
      if (!idle && threads.size >= size) return
      const task = takeFairly(waiting)
      if (task.options.isWanted?.() === false) task.reject(new Withdrawn('nobody wants it any more'))
      else give(idle ?? begin(), task)
    }
  }
  const give = (thread: Thread<J, A>, task: Task<J, A>): void => {
    thread.task = task
    hand(thread)
  }

  return {
    get threads() {
      return threads.size
    },
    run: (owner, job, limitMs, options = {}) =>
      new Promise<A>((resolve, reject) => {
        const queue = waiting.get(owner) ?? []
        waiting.set(owner, queue)
        queue.push({ job, limitMs, options, resolve, reject })
        next()
      }),
  }
}

function usedMs({ id, began }: Pick<Thread<unknown, unknown>, 'id' | 'began'>): number {
  const cpu = threadCpuMs(id)
  return began.cpu === undefined || cpu === undefined ? performance.now() - began.clock : cpu - began.cpu
}

/** The oldest of the owner whose turn it is; then all others come before that owner's next one. */
function takeFairly<T>(waiting: Map<string, T[]>): T {
  const [owner, queue] = waiting.entries().next().value!
  const task = queue.shift()!
  waiting.delete(owner)
  if (queue.length > 0) waiting.set(owner, queue)
  return task
}

/** The address of `src/<name>.ts`, which scripts/build.ts puts into the executable as a program of its own. */
export function threadProgram(name: string): URL {
  const isExecutable = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')
  return new URL(isExecutable ? `./${name}.js` : `../../${name}.ts`, import.meta.url)
}
