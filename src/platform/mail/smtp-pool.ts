// Keeps up to `size` sessions with the relay and lends them out one message at a time. Dead ones are never lent; a relay that
// allows fewer connections than we want is served with those that it allows.
import type { StagedReply } from './reply'
import type { Opened, SmtpSession } from './smtp-session'

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

const closedFault: StagedReply = { stage: 'connect', response: 'the transport is closed' }

export function makePool(open: () => Promise<Opened>, options: SmtpPoolOptions): SmtpPool {
  const idle = new Map<SmtpSession, ReturnType<typeof setTimeout>>()
  const waiting: Array<(opened: Opened) => void> = []
  /** Open, but no longer counted among the live ones; at most as many again as the pool has. */
  const givenUp = new Set<SmtpSession>()
  let live = 0
  let ceiling = options.size
  let closed = false

  async function grow(): Promise<Opened> {
    live++
    const opened = await open()
    if ('session' in opened) {
      const { session } = opened
      session.connection.onEnd(() => forget(session))
      if (!closed) return opened
      void retire(session)
      return { fault: closedFault }
    }
    live--
    return stepBack(opened.fault)
  }

  /** One more connection was not possible: wait for those that there are, or tell everybody who waits. */
  function stepBack(fault: StagedReply): Promise<Opened> | Opened {
    const permanent = fault.code !== undefined && fault.code >= 500
    if (live > 0 && !permanent) {
      lowerCeiling()
      return new Promise(resolve => waiting.unshift(resolve))
    }
    ceiling = options.size
    for (const resolve of waiting.splice(0)) resolve({ fault })
    return { fault }
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
    if (!givenUp.delete(session)) makeRoom()
  }

  function makeRoom(): void {
    live--
    if (waiting.length > 0 && live < ceiling && !closed) void grow().then(waiting.shift()!)
  }

  async function retire(session: SmtpSession): Promise<void> {
    clearTimeout(idle.get(session))
    idle.delete(session)
    await session.quit()
  }

  return {
    async take(fresh = false) {
      if (closed) return { fault: closedFault }
      for (const [session] of [...idle].toReversed()) {
        const usable = session.isUsable()
        if (usable && !fresh) {
          clearTimeout(idle.get(session))
          idle.delete(session)
          return { session }
        }
        // Where one was stale, those that idled longer are too: no time for goodbyes.
        if (fresh) session.connection.destroy()
        else if (!usable) void retire(session)
      }
      if (live < ceiling) return grow()
      return new Promise(resolve => waiting.push(resolve))
    },
    giveBack(session) {
      if (!session.connection.isAlive()) return
      const next = waiting[0]
      if (closed || givenUp.has(session) || !session.isUsable() || session.carried >= options.maxMessages)
        void retire(session)
      else if (next) {
        waiting.shift()
        next({ session })
      } else {
        const timer = setTimeout(() => void retire(session), options.idleMs)
        idle.set(session, timer)
      }
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
