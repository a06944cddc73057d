// How far a receiver's pace is lowered by what it answers, and how it rises again: halved by an answer that asks for less, doubled for each
// quiet while after that. Where that was not enough and it asks again, it gets nothing for a while. Kept by each process, for the receivers
// that something is set for.

import { type Clock, minute, second } from '../../../lib/time'
import { asksForLess } from '../../../mail/bounces'
import type { SendResult } from '../../../mail/message'
import { asAnswer } from '../../../mail/smtp/reply'

export interface Throttle {
  /** What is left of its messages a second, or of its connections. */
  rateOf(receiver: string, rate: number): number
  /** It gets nothing before. */
  restsUntil(receiver: string): Date | undefined
  /** True if that lowers its pace. */
  learn(receiver: string, result: SendResult): boolean
}

/** Answers to what was under way together ask once. */
const onceMs = 30 * second
const quietMs = 5 * minute
/** To a thirty-second. */
const maxHalvings = 5
const firstRestMs = 30 * second

interface Lowered {
  halvings: number
  at: number
  restsUntil: number
}

export function makeThrottle(clock: Clock): Throttle {
  const lowered = new Map<string, Lowered>()

  function halvingsOf(receiver: string): number {
    const state = lowered.get(receiver)
    if (!state) return 0
    const left = state.halvings - Math.floor((clock.now().getTime() - state.at) / quietMs)
    if (left <= 0) lowered.delete(receiver)
    return Math.max(0, left)
  }

  return {
    rateOf: (receiver, rate) => rate / 2 ** halvingsOf(receiver),
    restsUntil(receiver) {
      const until = lowered.get(receiver)?.restsUntil ?? 0
      return until > clock.now().getTime() ? new Date(until) : undefined
    },
    learn(receiver, result) {
      if (!asksForLess(asAnswer(result))) return false
      const now = clock.now().getTime()
      const before = halvingsOf(receiver)
      const state = lowered.get(receiver)
      if (state && now - state.at < onceMs) return false
      const halvings = Math.min(maxHalvings, before + 1)
      const restMs = before === 0 ? 0 : firstRestMs * 2 ** (halvings - 2)
      lowered.set(receiver, { halvings, at: now, restsUntil: now + restMs })
      return true
    },
  }
}
