// What the check before sending finds, in words for people: Liquid that can't be read, with the words at which it is (lines and columns are of
// HTML that nobody wrote), and what is left of a sample mail.
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

/** Those of `leftovers` that the mail still holds as a text of its own, in their order. */
export function leftoversIn(subject: string, html: string, leftovers: readonly string[]): string[] {
  const texts = textsOf(html)
  return leftovers.filter(each => each === subject.trim() || texts.has(each))
}

/** What stands between two tags: a sample sentence within a longer one was written by somebody. */
function textsOf(html: string): Set<string> {
  const texts = html.replaceAll(/<[^<>]*>/g, '\n').split('\n')
  return new Set(texts.map(text => text.trim()))
}
