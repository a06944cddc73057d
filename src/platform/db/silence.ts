// Connections that fell silent: a firewall forgot them, or the machine behind them is gone, and nobody was told. TCP would notice after
// a quarter of an hour, and whoever waits for an answer waits with it; a proxy in between may keep them open for ever.
import { second } from '../../lib/time'

/** A session of the server, as the driver tells of it by our patch. */
export interface Backend {
  pid: number
  socket: { bytesRead: number; destroyed: boolean; destroy(): unknown }
  /** A statement was sent whose answer has not come whole. */
  isWaiting(): boolean
}

/** The server knows nothing of it yet, and keeps the session: its place among all connections, its locks, an open transaction. */
export interface LostSession {
  pid: number
  /** Since it was given up. Whatever has this process id and is younger is another session. */
  seconds: number
}

export interface SilenceWatch {
  add(backend: Backend): void
  stop(): void
}

export interface SilenceOptions {
  /** Those of these process ids that work on a statement, asked over a connection of its own. */
  atWork(pids: number[]): Promise<ReadonlySet<number>>
  /** Ends these sessions on the server, where they are still what they were. */
  endSessions(sessions: LostSession[]): Promise<unknown>
  /** Called with the number of connections that were given up. */
  onGivenUp?(count: number): void
  /** Time between two looks. */
  everyMs?: number
  /** Longer than a server needs to take a new connection, however busy. */
  answerMs?: number
}

/** So many looks in a row at which a connection waits and has heard nothing: then the server is asked. */
const looksUntilAsked = 2

interface Seen {
  /** Bytes that had come at the last look. */
  heard: number
  /** Looks in a row at which nothing more had come. */
  quiet: number
  /** Those of them, the last ones, at which an answer was due. */
  due: number
}

/**
 * Ends connections on which an answer is due while nothing comes, unless the server, asked anew, says that it is still working on it. Whoever
 * waited is told that the connection was closed; what became of the statement is unknown, as after any cut. What took one connection took
 * its neighbours: those that nobody waits on, and whose last word is as old, end with it, before the next statement finds them dead. The
 * server is told to end their sessions, if need be when it can be reached again: by itself it would keep them for two hours, and a few such
 * cuts would use up its connections.
 */
export function watchSilence(options: SilenceOptions): SilenceWatch {
  const { everyMs = 5 * second, answerMs = 10 * second } = options
  const watched = new Map<Backend, Seen>()
  /** Sessions that were given up and may still be there, with when that was. */
  const lost = new Map<number, number>()
  let asking = false
  let ending = false

  const hasHeardNothing = (backend: Backend): boolean =>
    backend.socket.bytesRead === watched.get(backend)?.heard
  const isSilent = (backend: Backend): boolean => backend.isWaiting() && hasHeardNothing(backend)
  /** The first look after a connection's last word still hears that word, so it counts one look less than the one that waited. */
  const isQuiet = (backend: Backend): boolean =>
    hasHeardNothing(backend) && watched.get(backend)!.quiet >= looksUntilAsked - 1

  async function giveUpThoseNotAtWork(silent: Backend[]): Promise<void> {
    asking = true
    const atWork = options.atWork(silent.map(({ pid }) => pid)).catch(() => undefined)
    const unanswered = Bun.sleep(answerMs).then(() => undefined)
    const working = await Promise.race([atWork, unanswered])
    // An answer may have come in the meantime.
    const dead = silent.filter(each => isSilent(each) && !working?.has(each.pid))
    const idle = dead.length > 0 ? [...watched.keys()].filter(each => !each.isWaiting() && isQuiet(each)) : []
    for (const { pid } of [...dead, ...idle]) lost.set(pid, performance.now())
    if (dead.length > 0) options.onGivenUp?.(dead.length)
    // First, since whoever waited connects anew as soon as it is told; but nobody waits for a server that can't be reached.
    if (working) await Promise.race([endLost(), Bun.sleep(answerMs)])
    for (const { socket } of [...dead, ...idle]) socket.destroy()
    asking = false
  }

  async function endLost(): Promise<void> {
    if (lost.size === 0 || ending) return
    ending = true
    const sessions = [...lost].map(([pid, at]) => ({ pid, seconds: (performance.now() - at) / second }))
    try {
      await options.endSessions(sessions)
      for (const { pid } of sessions) lost.delete(pid)
    } catch {
      // The server can't be reached: the next look tries again.
    } finally {
      ending = false
    }
  }

  function watchOnce(): void {
    for (const [backend, seen] of watched) {
      if (backend.socket.destroyed) watched.delete(backend)
      else if (!hasHeardNothing(backend)) watched.set(backend, begin(backend))
      else {
        seen.quiet++
        seen.due = backend.isWaiting() ? seen.due + 1 : 0
      }
    }
    const silent = [...watched].filter(([, { due }]) => due >= looksUntilAsked).map(([each]) => each)
    if (asking) return
    if (silent.length > 0) void giveUpThoseNotAtWork(silent)
    else void endLost()
  }

  const timer = setInterval(watchOnce, everyMs)
  timer.unref()
  return {
    add: backend => void watched.set(backend, begin(backend)),
    stop: () => clearInterval(timer),
  }
}

const begin = ({ socket }: Backend): Seen => ({ heard: socket.bytesRead, quiet: 0, due: 0 })
