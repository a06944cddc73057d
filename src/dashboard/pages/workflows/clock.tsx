// The clock of a simulation: how much time has passed, to be moved forward and back from step to step.
import { StepBack, StepForward } from 'lucide-react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { formatDateTime } from '../../ui/format'
import type { Simulated } from './data'
import { ExecutionStatus } from './execution-status'

interface ClockProps {
  result: Simulated
  /** The last step that is shown. */
  until: number
  onChange: (until: number) => void
}

export function Clock({ result, until, onChange }: ClockProps) {
  const { steps, startedAt, endedAt, status, warnings, exitReason } = result
  const last = steps.length - 1
  const isAtEnd = until >= last
  const at = isAtEnd ? endedAt : (steps[until]?.startedAt ?? startedAt)
  return (
    <section
      aria-label={t.workflows.clock}
      className="space-y-3 rounded-lg border border-line bg-sheet px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-base font-semibold tabular-nums">{sinceStart(startedAt, at)}</p>
        <p className="text-quiet">{formatDateTime(at)}</p>
        {isAtEnd && (
          <p className="ml-auto flex items-center gap-2">
            {exitReason && <span className="text-quiet">{exitReason}</span>}
            <ExecutionStatus status={status} />
          </p>
        )}
      </div>
      <div className="flex items-center gap-1">
        <IconButton label={t.workflows.stepBack} disabled={until <= 0} onClick={() => onChange(until - 1)}>
          <StepBack aria-hidden />
        </IconButton>
        <input
          type="range"
          aria-label={t.workflows.clock}
          aria-valuetext={`${sinceStart(startedAt, at)}: ${steps[until]?.name ?? ''}`}
          className="min-w-0 flex-1 accent-accent"
          min={0}
          max={Math.max(last, 0)}
          value={until}
          onChange={event => onChange(Number(event.target.value))}
        />
        <IconButton label={t.workflows.stepForth} disabled={isAtEnd} onClick={() => onChange(until + 1)}>
          <StepForward aria-hidden />
        </IconButton>
      </div>
      {warnings.length > 0 && (
        <ul className="list-disc space-y-1 rounded-md bg-warn-soft py-2 pr-3 pl-7">
          {warnings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

/** "After 11 days 4 hours". */
function sinceStart(start: string, at: string): string {
  let left = Math.round((Date.parse(at) - Date.parse(start)) / 1000)
  const parts = units.flatMap(([unit, size]) => {
    const amount = Math.floor(left / size)
    left -= amount * size
    return amount > 0 ? [t.workflows.amounts[unit]?.(amount) ?? ''] : []
  })
  return parts.length > 0 ? t.workflows.after(parts.slice(0, 2).join(' ')) : t.workflows.atStart
}
