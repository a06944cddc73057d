// A part of a draft that is a single line until somebody wants it.
import { type ReactNode, useState } from 'react'

interface OnRequestProps {
  label: string
  /** The draft has it. */
  isKept: boolean
  /** Called when a draft that has it is to have it no more. */
  onGiveUp: () => void
  children: ReactNode
}

export function OnRequest({ label, isKept, onGiveUp, children }: OnRequestProps) {
  const [isOpen, setIsOpen] = useState(isKept)
  return (
    <div className="space-y-4 border-line border-t pt-4">
      <label className="flex min-h-8 items-center gap-2 max-md:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isOpen}
          onChange={event => {
            setIsOpen(event.target.checked)
            if (!event.target.checked && isKept) onGiveUp()
          }}
        />
        {label}
      </label>
      {isOpen && children}
    </div>
  )
}
