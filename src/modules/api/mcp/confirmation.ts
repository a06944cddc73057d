// The token by which a caller confirms what a tool is about to do: an id, an end, and a signature over both and over exactly
// what is confirmed. Pure.
import { createHash } from 'node:crypto'
import { isUuid } from '../../../lib/ids'
import { minute } from '../../../lib/time'

export const confirmationLifeMs = 5 * minute

/** What a confirmation is for. With other arguments, by another key, or of something that has changed, it is no confirmation. */
export interface Confirmed {
  projectId: string
  /** The whole key: it goes into a hash and nowhere else. */
  key: string
  tool: string
  input: unknown
  /** What was true when it was asked for. */
  facts: unknown
}

export interface ConfirmationToken {
  id: string
  expiresAt: Date
  signature: string
}

/** What is signed. */
export function confirmationText(id: string, expiresAt: Date, about: Confirmed): string {
  const { projectId, key, tool, input, facts } = about
  const hash = createHash('sha256')
    .update(canonical([projectId, key, tool, input, facts]))
    .digest('hex')
  return `${id}.${expiresAt.getTime()}.${hash}`
}

export function writeConfirmation({ id, expiresAt, signature }: ConfirmationToken): string {
  return `${id}.${expiresAt.getTime().toString(36)}.${signature}`
}

/** Undefined for a text that is none; whether it is genuine is for the vault to say. */
export function readConfirmation(text: string): ConfirmationToken | undefined {
  const [id = '', end = '', signature = '', ...more] = text.split('.')
  if (more.length > 0 || !isUuid(id) || !/^[0-9a-z]{6,10}$/.test(end)) return undefined
  return { id: id.toLowerCase(), expiresAt: new Date(Number.parseInt(end, 36)), signature }
}

/** JSON in which the order of members makes no difference: a caller may say the same again in another one. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
