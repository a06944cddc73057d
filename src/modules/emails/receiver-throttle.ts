// How far a receiver's pace is lowered by what it answers, and how it rises again: halved by an answer that asks for less, doubled for each
// quiet while after that. Kept by each process, for the receivers that have a pace.
import { type Clock, minute, second } from '../../lib/time'
import type { SendResult } from '../../platform/mail/transport'

export interface Throttle {
  /** What is left of its messages a second. */
  rateOf(receiver: string, ratePerSecond: number): number
  /** True if that lowers its pace. */
  learn(receiver: string, result: SendResult): boolean
}

/** Answers to what was under way together ask once. */
const onceMs = 30 * second
const quietMs = 5 * minute
/** To a thirty-second. */
const maxHalvings = 5

export function makeThrottle(clock: Clock): Throttle {
  const lowered = new Map<string, { halvings: number; at: number }>()

  function halvingsOf(receiver: string): number {
    const state = lowered.get(receiver)
    if (!state) return 0
    const left = state.halvings - Math.floor((clock.now().getTime() - state.at) / quietMs)
    if (left <= 0) lowered.delete(receiver)
    return Math.max(0, left)
  }

  return {
    rateOf: (receiver, ratePerSecond) => ratePerSecond / 2 ** halvingsOf(receiver),
    learn(receiver, result) {
      if (!asksForLess(result)) return false
      const now = clock.now().getTime()
      const halvings = halvingsOf(receiver)
      const state = lowered.get(receiver)
      if (state && now - state.at < onceMs) return false
      lowered.set(receiver, { halvings: Math.min(maxHalvings, halvings + 1), at: now })
      return true
    },
  }
}

const aboutMessage: ReadonlyArray<SendResult['stage']> = ['mail', 'rcpt', 'data', 'final']

/** 421 and 4.7.x in answer to a message: too many connections, too many messages, too little trust for as much as this. */
function asksForLess({ outcome, stage, code, enhanced }: SendResult): boolean {
  if (outcome !== 'deferred' || !aboutMessage.includes(stage)) return false
  return code === 421 || (enhanced?.startsWith('4.7.') ?? false)
}
