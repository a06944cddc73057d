// Keeps up to `size` sessions with the relay and lends them out one message at a time. Dead ones are never lent; a relay that
// allows fewer connections than we want is served with those that it allows.

import type { FinishedMessage } from '../message'
import { makeLine, type Waiter } from './line'
import type { StagedReply } from './reply'
import type { Opened, SmtpSession } from './session'

export interface SmtpPool {
  /** A session that was alive when it was lent; `fresh` asks for one that has carried nothing yet, where that is possible. */
  take(message: FinishedMessage, fresh?: boolean): Promise<Opened>
  /** The message that comes after the one of this session, which is about to wait for its answer: it may be sent ahead. */
  follower(session: SmtpSession): FinishedMessage | undefined
  giveBack(session: SmtpSession): void
  /** Its answer is long due: another one may take its place, and it carries nothing more once the answer has come. */
  giveUp(session: SmtpSession): void
  /** The relay can't do with what is sent ahead: for a good while nothing is. */
  sendNothingAhead(): void
  /** Open connections, for tests and figures. */
  size(): number
  close(): Promise<void>
}

export interface SmtpPoolOptions {
  size: number
  maxMessages: number
  idleMs: number
  patienceMs: number
  /** How long a relay's limit on connections is taken to hold. */
  ceilingMs?: number
  /** How long nothing is sent ahead to a relay that can't do with it. */
  behindMs?: number
}

const closedFault: StagedReply = { stage: 'connect', response: 'the transport is closed' }

export function makePool(open: () => Promise<Opened>, options: SmtpPoolOptions): SmtpPool {
  const idle = new Map<SmtpSession, ReturnType<typeof setTimeout>>()
  const line = makeLine(options.patienceMs, serveImpatient)
  /** Open, but no longer counted among the live ones; at most as many again as the pool has. */
  const givenUp = new Set<SmtpSession>()
  let live = 0
  let ceiling = options.size
  let closed = false
  let count = 0
  let sendsAhead = true

  async function grow(waiter: Waiter): Promise<void> {
    live++
    const opened = await open()
    if ('fault' in opened) {
      live--
      stepBack(waiter, opened.fault)
      return
    }
    const { session } = opened
    session.connection.onEnd(() => forget(session))
    if (closed) void retire(session)
    waiter.resolve(closed ? { fault: closedFault } : opened)
  }

  /** One more connection was not possible: wait for those that there are, or tell everybody who waits. */
  function stepBack(waiter: Waiter, fault: StagedReply): void {
    const permanent = fault.code !== undefined && fault.code >= 500
    if (live > 0 && !permanent && !closed) {
      lowerCeiling()
      line.stand(waiter)
      return
    }
    ceiling = options.size
    for (const { resolve } of [waiter, ...line.clear(false)]) resolve({ fault })
  }

  function lowerCeiling(): void {
    ceiling = Math.max(1, live)
    setTimeout(() => {
      ceiling = options.size
    }, options.ceilingMs ?? 30_000).unref()
  }

  /** A lost connection makes room; a waiter may use it. */
  function forget(session: SmtpSession): void {
    clearTimeout(idle.get(session))
    idle.delete(session)
    release(session)
    if (!givenUp.delete(session)) makeRoom()
  }

  /** Nothing of who follows has been sent but commands: any other connection will do. */
  function release(session: SmtpSession): void {
    const follower = line.takeFollower(session)
    if (follower) line.stand(follower)
  }

  function makeRoom(): void {
    live--
    growForNext()
  }

  function growForNext(): void {
    const waiter = live < ceiling && !closed ? line.next() : undefined
    if (waiter) void grow(waiter)
  }

  function serveImpatient(): void {
    const session = takeIdle()
    if (session) line.next()?.resolve({ session })
    else growForNext()
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
    async take(message, fresh = false) {
      if (closed) return { fault: closedFault }
      // Where one was stale, those that idled longer are too: no time for goodbyes.
      if (fresh) for (const session of [...idle.keys()]) session.connection.destroy()
      const session = takeIdle()
      if (session) return { session }
      const { promise, resolve } = Promise.withResolvers<Opened>()
      // Nothing is risked with it again, and it has had its turn already.
      const waiter: Waiter = fresh
        ? { message: undefined, number: 0, resolve }
        : { message, number: ++count, resolve }
      if (live < ceiling) void grow(waiter)
      else line.stand(waiter)
      return promise
    },
    follower(session) {
      // It has been forgotten: who would follow on it would wait for nothing.
      if (!session.connection.isAlive()) return undefined
      const goesOn = !closed && !givenUp.has(session) && session.carried < options.maxMessages
      return line.follow(session, sendsAhead && goesOn && session.sendsAhead)
    },
    giveBack(session) {
      if (!session.connection.isAlive()) return
      const follower = line.takeFollower(session)
      const carriesOn = !closed && !givenUp.has(session) && session.carried < options.maxMessages
      if (!carriesOn || !session.isUsable(follower?.message)) {
        if (follower) line.stand(follower)
        void retire(session)
        return
      }
      const next = follower ?? line.next()
      if (next) return next.resolve({ session })
      const timer = setTimeout(() => void retire(session), options.idleMs)
      idle.set(session, timer)
    },
    giveUp(session) {
      if (givenUp.size >= options.size || givenUp.has(session) || !session.connection.isAlive()) return
      givenUp.add(session)
      release(session)
      makeRoom()
    },
    sendNothingAhead() {
      sendsAhead = false
      setTimeout(() => {
        sendsAhead = true
      }, options.behindMs ?? 3_600_000).unref()
    },
    size: () => live,
    async close() {
      closed = true
      for (const { resolve } of line.clear(true)) resolve({ fault: closedFault })
      await Promise.all([...idle.keys()].map(retire))
    },
  }
}
