// A part of a draft that is a single line until somebody wants it. What was typed into it stays while it is off.
import type { ReactNode } from 'react'

interface OnRequestProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

export function OnRequest({ label, isOn, onChange, children }: OnRequestProps) {
  return (
    <div className="space-y-4 border-line border-t pt-4">
      <label className="flex min-h-8 items-center gap-2 max-md:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isOn}
          onChange={event => onChange(event.target.checked)}
        />
        {label}
      </label>
      {isOn && <div className="space-y-4">{children}</div>}
    </div>
  )
}
