// A choice above a list: one of a few values, or any.
import { type Options, Select } from './field'

interface FilterSelectProps {
  label: string
  /** Shown while nothing is chosen, if different from the label. */
  any?: string
  value?: string
  options: Options
  /** Called with an empty text for "any". */
  onChange: (value: string) => void
  className?: string
}

export function FilterSelect({ any, value = '', className, ...rest }: FilterSelectProps) {
  return (
    <Select {...rest} value={value} className={className ?? 'md:w-auto'}>
      <option value="">{any ?? rest.label}</option>
    </Select>
  )
}
