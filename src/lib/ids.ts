// Makers of identifiers and secrets from a source of randomness. Ids are UUID v7, so they sort by time and keep indexes tight.
import { createHash } from 'node:crypto'

/** The only source of randomness. Tests may pass a seeded one. */
export interface Random {
  bytes(length: number): Uint8Array
  /** A number in [0, 1), for jitter. */
  fraction(): number
  /** A UUID v7 whose time part is `at`; ids of one process and millisecond still ascend. */
  uuid(at: Date): string
}

/** The least UUID (RFC 9562, 5.9), which names nothing: where paging by id begins, and what means nobody. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** `length` random bytes as lower-case hex (2 × length characters). */
export function hexToken(random: Random, length: number): string {
  return Buffer.from(random.bytes(length)).toString('hex')
}

/** The last that 48 bits can say. */
const latestMs = 2 ** 48 - 1

/** Less than every UUID v7 of that moment or later, and greater than those before it. */
export function firstIdAt(at: Date): string {
  const ms = Math.min(Math.max(0, at.getTime()), latestMs).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

/** When a UUID v7 was made. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** An id that follows from a name, the same in every process (RFC 9562, 5.8). */
export function idOfName(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Ids of a very busy millisecond run into the following ones. */
const slackMs = 1_000

/** Greater than every UUID v7 that was made at that moment or before, though not less than all that are made later. */
export function endOfIdsAt(at: Date): string {
  return firstIdAt(new Date(at.getTime() + slackMs))
}
