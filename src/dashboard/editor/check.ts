// Liquid that can't be read, in words for people: with the words at which it is, since lines and columns are of HTML that nobody wrote.
import { ApiError } from '../api/error'
import { t } from '../texts'

interface Written {
  subject: string
  body: string
}

const shownAtMost = 40

interface Place {
  field: unknown
  /** What is written there, up to the next mark of HTML. */
  words: string
}

/** Where it is; undefined for errors that are about something else. */
export function brokenPlace(error: unknown, { subject, body }: Written): Place | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { field, line, column } = error.about.details ?? {}
  if (typeof line !== 'number' || typeof column !== 'number') return undefined
  const source = field === 'subject' ? subject : body
  const at = (source.split('\n')[line - 1] ?? '').slice(column - 1)
  const words = at.split('<')[0]!.trim().slice(0, shownAtMost)
  return { field, words: words || source.slice(0, shownAtMost) }
}

/** The error as it is to be shown: the same, unless it is about broken syntax in what is written. */
export function readable(error: unknown, written: Written): unknown {
  const place = brokenPlace(error, written)
  if (!place) return error
  const { message } = error as ApiError
  return new Error(t.writing.broken(place.words, message.split('): ')[1] ?? message))
}
