// A few choices side by side, one of which is on.
import type { ReactNode } from 'react'
import { classes } from './classes'

interface Segment<Name extends string> {
  name: Name
  label: string
  /** Shown in place of the label. */
  icon?: ReactNode | undefined
}

interface SegmentedProps<Name extends string> {
  /** Read aloud. */
  label: string
  segments: ReadonlyArray<Segment<Name>>
  value: Name
  onChange: (name: Name) => void
  className?: string
}

export function Segmented<Name extends string>({
  label,
  segments,
  value,
  onChange,
  className,
}: SegmentedProps<Name>) {
  return (
    <fieldset
      aria-label={label}
      className={classes('inline-flex gap-0.5 rounded-md border border-line bg-sheet p-0.5', className)}
    >
      {segments.map(({ name, label: words, icon }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          aria-label={icon ? words : undefined}
          title={icon ? words : undefined}
          className="inline-flex h-[30px] flex-1 items-center justify-center gap-2 rounded-[5px] px-3 text-[0.8125rem] whitespace-nowrap text-quiet hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink max-md:h-[38px] [&>svg]:size-4"
          onClick={() => onChange(name)}
        >
          {icon || words}
        </button>
      ))}
    </fieldset>
  )
}
