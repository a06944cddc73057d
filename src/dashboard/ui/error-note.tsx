// Says what went wrong in the server's words, what to do about it, and the request id to quote.
import { CircleAlert } from 'lucide-react'
import { ApiError } from '../api/error'
import { t } from '../texts'
import { Button } from './button'

export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { suggestion, requestId, faults = [] } = error instanceof ApiError ? error.about : {}
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg bg-bad-soft px-3.5 py-3 text-ink">
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 space-y-1 wrap-anywhere">
        <p className="font-medium">{error instanceof Error ? error.message : t.errors.unknown}</p>
        {faults.map(fault => (
          <p key={fault.field + fault.message}>
            {fault.field}: {fault.message}
          </p>
        ))}
        {suggestion && <p>{suggestion}</p>}
        {requestId && (
          <p className="text-xs text-quiet">
            {t.errors.requestId} <code className="select-all">{requestId}</code>
          </p>
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
