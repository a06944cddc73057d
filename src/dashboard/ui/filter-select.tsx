// A choice above a list: one of a few values, or any.
import { classes } from './classes'
import { inputClass } from './field'

interface FilterSelectProps {
  label: string
  /** Shown while nothing is chosen, if different from the label. */
  any?: string
  value?: string
  options: ReadonlyArray<readonly [value: string, name: string | undefined]>
  /** Called with an empty text for "any". */
  onChange: (value: string) => void
  className?: string
}

export function FilterSelect({
  label,
  any = label,
  value = '',
  options,
  onChange,
  className,
}: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      className={classes(inputClass, className ?? 'md:w-auto')}
      value={value}
      onChange={event => onChange(event.target.value)}
    >
      <option value="">{any}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  )
}
