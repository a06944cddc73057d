// What the check before sending finds in a mail: the server's warnings, and what is left of a starter.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { t } from '../texts'
import { classes } from '../ui/classes'
import { formatBytes } from '../ui/format'
import { leftoversIn, leftoversQuery } from './leftovers'

const gmailCutsAt = 102_000
const quotedAtMost = 6

interface Warning {
  code: string
  message: string
  variable?: string
  contacts?: number
}

interface Checked {
  warnings: readonly Warning[]
  html: string
  subject: string
}

/** A sentence for each finding. */
export function findingsOf({ warnings, html, subject }: Checked, leftovers: readonly string[]): string[] {
  const left = leftoversIn(subject, html, leftovers)
  const quotes = left.slice(0, quotedAtMost).map(text => t.writing.quoted(text))
  return [
    ...(left.length > 0 ? [t.writing.leftovers(quotes.join(', '), left.length - quotes.length)] : []),
    ...warnings.map(warning => t.writing.warnings[warning.code]?.(warning) ?? warning.message),
  ]
}

/** What the check found, and how much space is left before Gmail clips the mail. */
export function PreviewFindings(checked: Checked) {
  const { data: leftovers = [] } = useQuery(leftoversQuery)
  const size = new TextEncoder().encode(checked.html).length
  const found = findingsOf(checked, leftovers)
  return (
    <div className="space-y-1.5">
      {found.map(words => (
        <p key={words} className="flex gap-2 rounded-md bg-warn-soft px-3 py-2">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
          <span className="min-w-0 wrap-anywhere">{words}</span>
        </p>
      ))}
      <p
        className={classes('flex items-center gap-2 text-xs', size > gmailCutsAt ? 'text-bad' : 'text-quiet')}
      >
        {found.length === 0 && <CircleCheck className="size-4 text-good" aria-hidden />}
        {found.length === 0 && t.writing.noWarnings}{' '}
        {t.writing.size(formatBytes(size), formatBytes(gmailCutsAt))}
      </p>
    </div>
  )
}
