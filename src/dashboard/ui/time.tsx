// A moment in words; the exact one is shown when one points at it.
import { t } from '../texts'
import { formatDateTime, formatExact, formatRelative } from './format'

export function Time({ at, exact }: { at: string | null | undefined; exact?: boolean }) {
  if (!at) return <span className="text-quiet">{t.formats.never}</span>
  return (
    <time dateTime={at} title={formatExact(at)} className="whitespace-nowrap">
      {exact ? formatDateTime(at) : formatRelative(at)}
    </time>
  )
}
