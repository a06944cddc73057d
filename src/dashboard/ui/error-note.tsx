// Says what went wrong in the server's words and what to do about it; of a fault that is not the reader's, also the request id to quote.
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ApiError } from '../api/error'
import { t } from '../texts'
import { Button } from './button'

/** An error of which the page knows where it can be mended. */
export class GuidingError extends Error {
  constructor(
    message: string,
    readonly action: { label: string; go: () => void },
  ) {
    super(message)
  }
}

interface ErrorNoteProps {
  error: unknown
  onRetry?: () => void
  /** It answers what the reader has just done, so it is where the reader goes on. */
  takesFocus?: boolean
}

export function ErrorNote({ error, onRetry, takesFocus }: ErrorNoteProps) {
  const { suggestion, requestId, faults = [] } = error instanceof ApiError ? error.about : {}
  const isOurs = error instanceof ApiError && error.status >= 500
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) note.current?.focus()
  }, [takesFocus])
  return (
    <div
      ref={note}
      role="alert"
      tabIndex={takesFocus ? -1 : undefined}
      className="flex gap-2.5 rounded-lg bg-bad-soft px-3.5 py-3 text-ink"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 space-y-1 wrap-anywhere">
        <p className="font-medium">{error instanceof Error ? error.message : t.errors.unknown}</p>
        {faults.map(fault => (
          <p key={fault.field + fault.message}>
            {fault.field}: {fault.message}
          </p>
        ))}
        {suggestion && <p>{suggestion}</p>}
        {isOurs && requestId && (
          <p className="text-xs text-quiet">
            {t.errors.requestId} <code className="select-all">{requestId}</code>
          </p>
        )}
        {error instanceof GuidingError && (
          <Button className="mt-2" onClick={error.action.go}>
            {error.action.label}
          </Button>
        )}
        {onRetry && (
          <Button className="mt-2" onClick={onRetry}>
            {t.words.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
