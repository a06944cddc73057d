// The bytes of messages on their way in. What all connections hold together is bounded, and so is what one sender may hold of it; a message
// that stops arriving is ended. Anyone beyond that is asked to come back, before the process runs out of memory.
import type { Readable } from 'node:stream'
import type { CpuThrottle } from '../../lib/cpu-throttle'
import { AppError } from '../../lib/errors'
import { joinPieces } from '../../lib/join'
import { type Clock, second } from '../../lib/time'

export interface MessageIntake {
  /**
   * Hands the whole message to `work`; its bytes are held until that has ended. What can't be taken is read to its end and discarded: 413
   * beyond the limit, 503 where others, or this sender, take up the space.
   */
  receive<T>(stream: Readable, source: MessageSource, work: (raw: Buffer) => Promise<T>): Promise<T>
  /** How many bytes are held now. */
  readonly held: number
}

/** Each that the message counts for, with the part of the whole that it may take up. */
export interface MessageSource {
  owners: ReadonlyArray<{ name: string; part: number }>
  /** Less than the intake takes, for this message. */
  messageBytes?: number
}

export interface IntakeBounds {
  messageBytes: number
  totalBytes: number
  /** For one message, from its first byte to its last. */
  timeLimitMs: number
  clock: Clock
  /** Large messages are put together in pieces. */
  throttle: CpuThrottle
  /** Between two looks at what has arrived. */
  lookMs?: number
}

/** Of a message on its way. */
const bytesPerSecond = 10_000
/** A message may stand still for this long; what arrived faster than it has to buys no longer pause. */
const graceBytes = 30 * bytesPerSecond
/** This many pieces, or bytes, are joined: a client that sends single bytes would fill memory with what surrounds each of them. */
const [joinedPieces, joinedBytes] = [256, 64 * 1024]

export function makeIntake(bounds: IntakeBounds): MessageIntake {
  const { totalBytes, timeLimitMs, clock, throttle, lookMs = second } = bounds
  let held = 0
  const heldBy = new Map<string, number>()
  const count = (owners: MessageSource['owners'], bytes: number): void => {
    held += bytes
    for (const { name } of owners) {
      const left = (heldBy.get(name) ?? 0) + bytes
      if (left === 0) heldBy.delete(name)
      else heldBy.set(name, left)
    }
  }
  const faultOf = ({ owners, messageBytes = bounds.messageBytes }: MessageSource, length: number) => {
    if (length > messageBytes) return tooLarge(messageBytes)
    if (held > totalBytes) return noRoom('Too many messages')
    const isGreedy = owners.some(({ name, part }) => (heldBy.get(name) ?? 0) > totalBytes * part)
    return isGreedy ? noRoom('Too many messages from this sender') : undefined
  }
  const receive = async <T>(stream: Readable, source: MessageSource, work: (raw: Buffer) => Promise<T>) => {
    const pieces = new Pieces()
    let length = 0
    let fault: AppError | undefined
    const release = (): void => {
      count(source.owners, -length)
      length = 0
      pieces.clear()
    }
    let credit = graceBytes
    const take = (chunk: Buffer): void => {
      credit = Math.min(graceBytes, credit + chunk.length)
      if (fault) return
      length += chunk.length
      count(source.owners, chunk.length)
      pieces.add(chunk)
      fault = faultOf(source, length)
      if (fault) release()
    }
    const began = clock.now().getTime()
    let looked = began
    const check = (): void => {
      const now = clock.now().getTime()
      credit -= ((now - looked) / second) * bytesPerSecond
      looked = now
      if (credit < 0 || now - began > timeLimitMs) stream.destroy(tooSlow())
    }
    const timer = setInterval(check, lookMs)
    try {
      await readAll(stream, take)
      clearInterval(timer)
      if (fault) throw fault
      return await work(await joinPieces(pieces.all(), throttle))
    } finally {
      clearInterval(timer)
      release()
    }
  }
  return {
    receive,
    get held() {
      return held
    },
  }
}

class Pieces {
  #joined: Buffer[] = []
  #recent: Buffer[] = []
  #recentBytes = 0

  add(piece: Buffer): void {
    this.#recentBytes += piece.length
    if (this.#recent.push(piece) < joinedPieces && this.#recentBytes < joinedBytes) return
    this.#joined.push(this.#recent.length === 1 ? piece : Buffer.concat(this.#recent))
    this.#recent = []
    this.#recentBytes = 0
  }

  all(): Buffer[] {
    return [...this.#joined, ...this.#recent]
  }

  clear(): void {
    this.#joined = []
    this.#recent = []
  }
}

/** By events: an iterator over a stream costs more than all else that is done to a small message here. */
async function readAll(stream: Readable, take: (chunk: Buffer) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.on('data', take).once('end', resolve)
    // Whoever speaks to us has gone away, or was sent away: nothing of ours failed.
    stream.once('error', error => reject(error instanceof AppError ? error : brokenOff()))
    stream.once('close', () => reject(brokenOff()))
  })
}

function tooLarge(limit: number): AppError {
  return new AppError(413, 'PAYLOAD_TOO_LARGE', `The message is larger than ${limit} bytes`)
}

function noRoom(what: string): AppError {
  return new AppError(
    503,
    'SERVICE_UNAVAILABLE',
    `${what} are being received at this moment; try again later`,
  )
}

function tooSlow(): AppError {
  return new AppError(408, 'BAD_REQUEST', 'The message took too long to arrive')
}

function brokenOff(): AppError {
  return new AppError(408, 'BAD_REQUEST', 'The message ended too soon')
}
