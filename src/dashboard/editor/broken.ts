// Liquid that can't be read, in words for people: what is wrong, and the words at which it is. Lines and columns are of HTML that nobody
// wrote.
import { ApiError } from '../api/error'
import { t } from '../texts'

interface Written {
  subject: string
  body: string
}

const shownAtMost = 40

/** The error as it is to be shown: the same, unless it is about broken syntax in what is written. */
export function readable(error: unknown, { subject, body }: Written): unknown {
  if (!(error instanceof ApiError)) return error
  const { field, line, column } = error.about.details ?? {}
  if (typeof line !== 'number' || typeof column !== 'number') return error
  const source = field === 'subject' ? subject : body
  const at = (source.split('\n')[line - 1] ?? '').slice(column - 1)
  const words = at.split('<')[0]!.trim().slice(0, shownAtMost)
  const reason = error.message.split('): ')[1] ?? error.message
  return new Error(t.writing.broken(words || source.slice(0, shownAtMost), reason))
}
