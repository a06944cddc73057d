// The bytes of bodies on their way in. What all requests hold together is bounded, and each holder has a share of it, so that none can use
// up what the others need. A body that comes too slowly is ended.
import type { CpuThrottle } from '../lib/cpu-throttle'
import { AppError } from '../lib/errors'
import { copyPieces, joinPieces } from '../lib/join'
import { second } from '../lib/time'

/** What a body counts against: a name, and how many bytes may be held under it at the same time. */
export interface BodyShare {
  name: string
  bytes: number
}

/** After its grace a body has to have come at this pace on average. */
export interface LowestSpeed {
  graceMs: number
  bytesPerSecond: number
}

export const lowestSpeed: LowestSpeed = { graceMs: 30 * second, bytesPerSecond: 10_000 }

/** Room that a request holds until it is answered. */
export interface BodyRoom {
  /** 503 where one of the shares has no room for that many bytes more. */
  add(bytes: number): void
  /** Gives back everything; may be called several times. */
  release(): void
}

export interface BodyIntake {
  hold(shares: readonly BodyShare[]): BodyRoom
  /** How many bytes are held under a name. */
  held(name: string): number
}

export function makeBodyIntake(): BodyIntake {
  const held = new Map<string, number>()
  const count = (name: string): number => held.get(name) ?? 0
  const add = (name: string, bytes: number): void => {
    const sum = count(name) + bytes
    if (sum > 0) held.set(name, sum)
    else held.delete(name)
  }
  const hold = (shares: readonly BodyShare[]): BodyRoom => {
    let own = 0
    return {
      add(bytes) {
        if (shares.some(share => count(share.name) + bytes > share.bytes)) throw noRoom()
        own += bytes
        for (const { name } of shares) add(name, bytes)
      },
      release() {
        for (const { name } of shares) add(name, -own)
        own = 0
      },
    }
  }
  return { hold, held: count }
}

/** Up to this size a body of known length is read by the runtime, which costs less than a stream. */
const readAtOnce = 64 * 1024

export interface ReceiveOptions {
  /** The length that the client declared; undefined where it means nothing. */
  declared: number | undefined
  held: BodyRoom
  speed: LowestSpeed
  /** Large ones are put together in pieces. */
  throttle: CpuThrottle
  /** Throws for more bytes than the body may have. */
  check(bytes: number): void
}

/** All bytes of the body. Room for a declared length is taken before anything is read, for any other as it comes. */
export async function receiveBody(request: Request, options: ReceiveOptions): Promise<Uint8Array> {
  const { declared, held, speed, throttle } = options
  if (declared !== undefined) held.add(declared)
  if (declared !== undefined && declared <= readAtOnce)
    return await inTime(Request.prototype.bytes.call(request), speed.graceMs)
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  const chunks: Uint8Array[] = []
  // What the client declares and never sends is memory that is never touched.
  const whole = declared === undefined ? undefined : Buffer.allocUnsafeSlow(declared)
  const begun = performance.now()
  for (let length = 0; ; ) {
    const leftMs = begun + speed.graceMs + (length / speed.bytesPerSecond) * second - performance.now()
    const { done, value } = await inTime(reader.read(), leftMs).catch(error => {
      void reader.cancel(error).catch(() => {})
      throw error
    })
    if (done) return whole ? whole.subarray(0, length) : await joinPieces(chunks, throttle)
    const at = length
    length += value.byteLength
    options.check(length)
    if (whole) await copyPieces(value, whole, at, throttle)
    else {
      held.add(value.byteLength)
      chunks.push(value)
    }
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow()), Math.max(0, ms))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function noRoom(): AppError {
  return new AppError(
    503,
    'SERVICE_UNAVAILABLE',
    'Too many large requests are being received at this moment',
    {
      suggestion: 'Send fewer requests at the same time, and try again after the seconds in Retry-After.',
      headers: { 'Retry-After': '5' },
      byClient: true,
    },
  )
}

function tooSlow(): AppError {
  return new AppError(408, 'BAD_REQUEST', 'The request body took too long to arrive', {
    suggestion: `Send it at ${lowestSpeed.bytesPerSecond / 1000} kB a second or faster, or send less at a time.`,
    headers: { Connection: 'close' },
  })
}
