// How far something that takes time has got.
import { formatPercent } from './format'

export function Progress({ label, percent }: { label: string; percent: number }) {
  return (
    <div className="space-y-1.5 rounded-lg border border-line bg-sheet px-4 py-3">
      <p className="flex justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span className="text-quiet tabular-nums">{formatPercent(percent / 100)}</span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
