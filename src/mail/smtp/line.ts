// Those who wait for a connection, in the order in which they came. One may follow on a connection that still waits for the answer to the
// message before: its commands have been sent there, so that connection is its own. Where the answer takes long, it stands in line as well,
// and goes by whatever is free first.

import type { FinishedMessage } from '../message'
import type { Opened, SmtpSession } from './session'

export interface Waiter {
  /** What may be sent ahead for it; undefined: nothing. */
  readonly message: FinishedMessage | undefined
  /** Its place. */
  readonly number: number
  resolve(opened: Opened): void
  /** The connection that it follows on. */
  follows?: { session: SmtpSession; patience: ReturnType<typeof setTimeout> }
}

export interface Line {
  /** To its place; that of one who has waited before is ahead of those who came later. */
  stand(waiter: Waiter): void
  /** The first one leaves the line, and what it followed on. */
  next(): Waiter | undefined
  /** Asked by a connection that is about to wait for an answer: who comes after it, unless it says that nobody may. */
  follow(session: SmtpSession, may: boolean): FinishedMessage | undefined
  /** Who followed on this connection, which nobody does from now on. */
  takeFollower(session: SmtpSession): Waiter | undefined
  /** All leave: those in line, and those who follow on connections too where it is for good. */
  clear(forGood: boolean): Waiter[]
}

/** `onImpatient`: one who follows has stood in line again. */
export function makeLine(patienceMs: number, onImpatient: () => void): Line {
  const standing: Waiter[] = []
  const followers = new Map<SmtpSession, Waiter>()
  /** They wait for an answer, and nobody follows on them: each will be free for one who stands in line. */
  const alone = new Set<SmtpSession>()

  function stand(waiter: Waiter): void {
    const later = standing.findIndex(({ number }) => number > waiter.number)
    standing.splice(later === -1 ? standing.length : later, 0, waiter)
  }

  function stepOut(waiter: Waiter): void {
    const at = standing.indexOf(waiter)
    if (at !== -1) standing.splice(at, 1)
  }

  /**
   * Connections that wait alone were there before and will be free earlier, so the first in line are theirs: none is bound to an answer that
   * comes later than the one that it would have gone by.
   */
  function whoComesAfter(): Waiter | undefined {
    let before = alone.size
    return standing.find(({ follows }) => !follows && before-- <= 0)
  }

  function bind(waiter: Waiter, session: SmtpSession): void {
    const patience = setTimeout(() => {
      stand(waiter)
      onImpatient()
    }, patienceMs)
    waiter.follows = { session, patience }
    followers.set(session, waiter)
    stepOut(waiter)
  }

  function unbind(waiter: Waiter): void {
    if (!waiter.follows) return
    clearTimeout(waiter.follows.patience)
    followers.delete(waiter.follows.session)
    waiter.follows = undefined
  }

  return {
    stand,
    next() {
      const first = standing.shift()
      if (first) unbind(first)
      return first
    },
    follow(session, may) {
      const waiter = may ? whoComesAfter() : undefined
      if (waiter?.message) bind(waiter, session)
      else alone.add(session)
      return waiter?.message
    },
    takeFollower(session) {
      alone.delete(session)
      const waiter = followers.get(session)
      if (!waiter) return undefined
      unbind(waiter)
      stepOut(waiter)
      return waiter
    },
    clear(forGood) {
      const left = new Set([...standing.splice(0), ...(forGood ? followers.values() : [])])
      for (const waiter of left) unbind(waiter)
      return [...left]
    },
  }
}
