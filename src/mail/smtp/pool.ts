// Keeps up to `size` sessions with the relay and lends them out one message at a time. Dead ones are never lent; a relay that
// allows fewer connections than we want is served with those that it allows.

import type { StagedReply } from './reply'
import type { Opened, SmtpSession } from './session'

export interface SmtpPool {
  /** A session that was alive when it was lent; `fresh` asks for one that has carried nothing yet, where that is possible. */
  take(fresh?: boolean): Promise<Opened>
  giveBack(session: SmtpSession): void
  /** Its answer is long due: another one may take its place, and it carries nothing more once the answer has come. */
  giveUp(session: SmtpSession): void
  /** Open connections, for tests and figures. */
  size(): number
  close(): Promise<void>
}

export interface SmtpPoolOptions {
  size: number
  maxMessages: number
  idleMs: number
  /** How long a relay's limit on connections is taken to hold. */
  ceilingMs?: number
}

type Waiter = (opened: Opened) => void

const closedFault: StagedReply = { stage: 'connect', response: 'the transport is closed' }

export function makePool(open: () => Promise<Opened>, options: SmtpPoolOptions): SmtpPool {
  const idle = new Map<SmtpSession, ReturnType<typeof setTimeout>>()
  /** Those who wait for a connection, in the order in which they came. */
  const waiting: Waiter[] = []
  /** Open, but no longer counted among the live ones; at most as many again as the pool has. */
  const givenUp = new Set<SmtpSession>()
  let live = 0
  let ceiling = options.size
  let closed = false

  async function grow(waiter: Waiter): Promise<void> {
    live++
    const opened = await open()
    if ('fault' in opened) {
      live--
      stepBack(waiter, opened.fault)
      return
    }
    const { session } = opened
    session.connection.onEnd(() => release(session))
    if (closed) void retire(session)
    waiter(closed ? { fault: closedFault } : opened)
  }

  /** One more connection was not possible: wait for those that there are, or tell everybody who waits. */
  function stepBack(waiter: Waiter, fault: StagedReply): void {
    const permanent = fault.code !== undefined && fault.code >= 500
    if (live > 0 && !permanent && !closed) {
      lowerCeiling()
      waiting.unshift(waiter)
      return
    }
    ceiling = options.size
    for (const resolve of [waiter, ...waiting.splice(0)]) resolve({ fault })
  }

  function lowerCeiling(): void {
    ceiling = Math.max(1, live)
    setTimeout(() => {
      ceiling = options.size
    }, options.ceilingMs ?? 30_000).unref()
  }

  /** A lost connection makes room; a waiter may use it. */
  function release(session: SmtpSession): void {
    clearTimeout(idle.get(session))
    idle.delete(session)
    if (!givenUp.delete(session)) makeRoom()
  }

  function makeRoom(): void {
    live--
    const waiter = live < ceiling && !closed ? waiting.shift() : undefined
    if (waiter) void grow(waiter)
  }

  function takeIdle(): SmtpSession | undefined {
    for (const [session] of [...idle].toReversed()) {
      if (session.isUsable()) {
        clearTimeout(idle.get(session))
        idle.delete(session)
        return session
      }
      void retire(session)
    }
    return undefined
  }

  async function retire(session: SmtpSession): Promise<void> {
    clearTimeout(idle.get(session))
    idle.delete(session)
    await session.quit()
  }

  return {
    async take(fresh = false) {
      if (closed) return { fault: closedFault }
      // Where one was stale, those that idled longer are too: no time for goodbyes.
      if (fresh) for (const session of [...idle.keys()]) session.connection.destroy()
      const session = takeIdle()
      if (session) return { session }
      const { promise, resolve } = Promise.withResolvers<Opened>()
      if (live < ceiling) void grow(resolve)
      // One whose connection was stale has had its turn already.
      else if (fresh) waiting.unshift(resolve)
      else waiting.push(resolve)
      return promise
    },
    giveBack(session) {
      if (!session.connection.isAlive()) return
      const carriesOn = !closed && !givenUp.has(session) && session.carried < options.maxMessages
      if (!carriesOn || !session.isUsable()) return void retire(session)
      const next = waiting.shift()
      if (next) return next({ session })
      const timer = setTimeout(() => void retire(session), options.idleMs)
      idle.set(session, timer)
    },
    giveUp(session) {
      if (givenUp.size >= options.size || givenUp.has(session) || !session.connection.isAlive()) return
      givenUp.add(session)
      makeRoom()
    },
    size: () => live,
    async close() {
      closed = true
      for (const resolve of waiting.splice(0)) resolve({ fault: closedFault })
      await Promise.all([...idle.keys()].map(retire))
    },
  }
}
