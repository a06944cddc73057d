// The bytes of messages on their way in. What all connections hold together is bounded: whoever sends slowly, or much at once, is asked
// to come back before the process runs out of memory.
import type { Readable } from 'node:stream'
import { AppError } from '../../lib/errors'

export interface MessageIntake {
  /**
   * The whole message. What can't be taken is read to its end and discarded: 413 beyond the limit, 503 where others take up the space.
   */
  collect(stream: Readable): Promise<Buffer>
  /** How many bytes are held at this moment. */
  readonly held: number
}

export interface IntakeBounds {
  messageBytes: number
  totalBytes: number
  /** For one message, from its first byte to its last. */
  timeLimitMs: number
}

export function makeIntake({ messageBytes, totalBytes, timeLimitMs }: IntakeBounds): MessageIntake {
  let held = 0
  const collect = async (stream: Readable): Promise<Buffer> => {
    const chunks: Buffer[] = []
    let length = 0
    let fault: AppError | undefined
    const release = (): void => {
      held -= length
      length = 0
      chunks.length = 0
    }
    const take = (chunk: Buffer): void => {
      if (fault) return
      length += chunk.length
      held += chunk.length
      chunks.push(chunk)
      if (length > messageBytes) fault = tooLarge(messageBytes)
      else if (held > totalBytes) fault = noRoom()
      if (fault) release()
    }
    const timer = setTimeout(() => stream.destroy(tooSlow()), timeLimitMs)
    try {
      await readAll(stream, take)
      if (fault) throw fault
      return Buffer.concat(chunks)
    } finally {
      clearTimeout(timer)
      release()
    }
  }
  return {
    collect,
    get held() {
      return held
    },
  }
}

/** By events: an iterator over a stream costs more than all else that is done to a small message here. */
async function readAll(stream: Readable, take: (chunk: Buffer) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.on('data', take).once('end', resolve).on('error', reject)
    stream.once('close', () => reject(new Error('The message ended too soon')))
  })
}

function tooLarge(limit: number): AppError {
  return new AppError(413, 'PAYLOAD_TOO_LARGE', `The message is larger than ${limit} bytes`)
}

function noRoom(): AppError {
  return new AppError(
    503,
    'SERVICE_UNAVAILABLE',
    'Too many messages are being received at this moment; try again later',
  )
}

function tooSlow(): AppError {
  return new AppError(503, 'SERVICE_UNAVAILABLE', 'The message took too long to arrive')
}
