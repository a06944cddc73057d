// A moment in words; the exact one is shown when one points at it.
import { t } from '../texts'
import { classes } from './classes'
import { formatDateTime, formatExact, formatRelative } from './format'

interface TimeProps {
  at: string | null | undefined
  exact?: boolean
  /** In a quiet colour, beside what matters more. */
  quiet?: boolean
}

export function Time({ at, exact, quiet }: TimeProps) {
  if (!at) return <span className="text-quiet">{t.formats.never}</span>
  return (
    <time
      dateTime={at}
      title={formatExact(at)}
      className={classes('whitespace-nowrap', quiet && 'text-quiet')}
    >
      {exact ? formatDateTime(at) : formatRelative(at)}
    </time>
  )
}
