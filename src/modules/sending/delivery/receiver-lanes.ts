// How many messages are on their way to one receiver at a time. Whoever finds no room is told when there probably is some, by how long
// the others took: nobody waits in a place that mail to somebody else could use.
import { type Clock, second } from '../../../lib/time'

/** Tells that a message has left; `wasSent`: it was on its way, so that its time says something. */
export type LeaveLane = (wasSent: boolean) => void

export interface ReceiverLanes {
  /** Takes a place, or says when to ask again. */
  enter(receiver: string, places: number): LeaveLane | Date
}

interface Lane {
  taken: number
  /** How long a message takes, of late. */
  usualMs: number
  /** The turn that was given last. */
  lastTurn: number
}

const leastMs = 20
const newest = 0.2

export function makeReceiverLanes(clock: Clock): ReceiverLanes {
  const lanes = new Map<string, Lane>()
  const now = (): number => clock.now().getTime()

  function laneOf(receiver: string): Lane {
    const lane = lanes.get(receiver) ?? { taken: 0, usualMs: second, lastTurn: 0 }
    lanes.set(receiver, lane)
    return lane
  }

  return {
    enter(receiver, places) {
      const lane = laneOf(receiver)
      if (lane.taken >= places) {
        lane.lastTurn = Math.max(now() + lane.usualMs, lane.lastTurn + lane.usualMs / places)
        return new Date(Math.ceil(lane.lastTurn))
      }
      lane.taken++
      const startedAt = now()
      return wasSent => {
        lane.taken--
        if (wasSent) lane.usualMs += newest * (Math.max(leastMs, now() - startedAt) - lane.usualMs)
      }
    },
  }
}
