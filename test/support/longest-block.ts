// How long a piece of work holds up everybody else in the process: the longest time between two turns of the event loop.
import type { AnyElysia } from 'elysia'
import { request } from './request'

export interface Watched<T> {
  result: T
  /** Milliseconds of this thread's own processor time, so that other programs of the machine don't count. */
  longestMs: number
  /** How often /health was answered meanwhile. */
  healthAnswers: number
}

/** Runs `work` while the same application is asked for its health, again and again. */
export async function watchLoop<T>(app: AnyElysia, work: () => Promise<T>): Promise<Watched<T>> {
  let isOver = false
  const longest = longestTurn(() => isOver)
  const answers = askHealth(app, () => isOver)
  try {
    const result = await work()
    isOver = true
    return { result, longestMs: await longest, healthAnswers: await answers }
  } finally {
    isOver = true
    await Promise.all([longest, answers])
  }
}

async function longestTurn(isOver: () => boolean): Promise<number> {
  let longest = 0
  while (!isOver()) {
    const before = threadMs()
    await new Promise(resolve => setImmediate(resolve))
    longest = Math.max(longest, threadMs() - before)
  }
  return longest
}

async function askHealth(app: AnyElysia, isOver: () => boolean): Promise<number> {
  let answers = 0
  do {
    const { status } = await request(app, 'GET', '/health')
    if (status !== 200) throw new Error(`/health answered ${status}`)
    answers++
  } while (!isOver())
  return answers
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
