// Liquid that can't be read, in words for people: with the words at which it is, since lines and columns are of HTML that nobody wrote.
import { ApiError } from '../api/error'
import { t } from '../texts'
import { GuidingError } from '../ui/error-note'
import { escapeText } from './mail/escape'

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

/**
 * The error as it is to be shown: the same, unless it is about broken syntax in what is written; then it leads there. `open` makes the
 * editor visible first, or leads elsewhere itself and returns false.
 */
export function readable(error: unknown, written: Written, open?: (field: unknown) => unknown): unknown {
  const place = brokenPlace(error, written)
  if (!place) return error
  const { message } = error as ApiError
  const go = async (): Promise<void> => {
    if ((await open?.(place.field)) !== false) requestAnimationFrame(() => goTo(place))
  }
  const words = t.writing.broken(place.words, message.split('): ')[1] ?? message)
  return new GuidingError(words, { label: t.writing.toBroken, go: () => void go() })
}

/** Puts the cursor where the words are that can't be read: in the subject, or at the end of their block or line. */
function goTo({ field, words }: Place): void {
  if (field === 'subject') document.getElementsByName('subject')[0]?.focus()
  if (field !== 'body') return
  const blocks = document.querySelectorAll<HTMLElement>('.mail-canvas > *')
  const code = document.querySelector('[data-code]')?.shadowRoot
  const lines = code?.querySelectorAll<HTMLElement>('.cm-line') ?? []
  // The message quotes the HTML, which an author of blocks or Markdown never sees.
  const part = [...blocks, ...lines].find(
    ({ textContent: text }) => text.includes(words) || escapeText(text).includes(words),
  )
  const editor = part?.closest<HTMLElement>('[contenteditable=true]')
  if (!part || !editor) return
  // In this order: an editor that gets the focus first goes back to where its cursor was.
  const selection = getSelection()
  selection?.selectAllChildren(part)
  selection?.collapseToEnd()
  editor.focus({ preventScroll: true })
  part.scrollIntoView({ block: 'center' })
}
