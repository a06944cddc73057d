// Fields of forms: a label, a hint, the server's fault, and the control. Uncontrolled by default; `Form` reads them by name.
import { type ComponentProps, type ReactNode, useId } from 'react'
import { t } from '../texts'
import { classes } from './classes'
import { useFault } from './form'

export const inputClass =
  'control w-full min-w-0 rounded-md border border-edge bg-sheet px-3 text-sm text-ink max-md:text-base aria-invalid:border-bad disabled:opacity-60'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  /** Shown to the right of the label. */
  aside?: ReactNode
}

interface FrameProps extends FieldProps {
  name: string
  children: (control: ControlProps) => ReactNode
}

interface ControlProps {
  id: string
  name: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

/** The label, hint and fault around any control. */
export function Field({ name, label, hint, optional, aside, children }: FrameProps) {
  const { id, control, below } = useLabelled(name, hint)
  return (
    <div className="space-y-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label} {optional && <span className="font-normal text-quiet">({t.words.optional})</span>}
        </label>
        {aside}
      </div>
      {children(control)}
      {below}
    </div>
  )
}

type Named<Tag extends 'input' | 'textarea' | 'select'> = FieldProps & ComponentProps<Tag> & { name: string }

function split<Props extends FieldProps & { name: string; className?: string }>(props: Props) {
  const { label, hint, optional, aside, className, ...rest } = props
  return { frame: { label, hint, optional, aside, name: props.name }, className, rest }
}

export function TextField({ suggestions, ...props }: Named<'input'> & { suggestions?: readonly string[] }) {
  const { frame, className, rest } = split(props)
  const list = useId()
  return (
    <Field {...frame}>
      {control => (
        <>
          <input
            {...rest}
            {...control}
            {...(suggestions && { list, autoComplete: 'off' })}
            className={classes(inputClass, className)}
          />
          {suggestions && <datalist id={list}>{optionsOf(suggestions.map(each => [each, '']))}</datalist>}
        </>
      )}
    </Field>
  )
}

export function TextArea(props: Named<'textarea'>) {
  const { frame, className, rest } = split(props)
  return (
    <Field {...frame}>
      {control => (
        <textarea rows={4} {...rest} {...control} className={classes(inputClass, 'h-auto py-2', className)} />
      )}
    </Field>
  )
}

export type Options = ReadonlyArray<readonly [value: string, name: ReactNode]>

const optionsOf = (options: Options = []): ReactNode =>
  options.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))

/** The browser's own list, which suits every device. Children are <option>s before or instead of the options. */
export function SelectField({ options, children, ...props }: Named<'select'> & { options?: Options }) {
  const { frame, className, rest } = split(props)
  return (
    <Field {...frame}>
      {control => (
        <select {...rest} {...control} className={classes(inputClass, className)}>
          {children}
          {optionsOf(options)}
        </select>
      )}
    </Field>
  )
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  /** Read aloud; a field has its label beside it instead. */
  label?: string
  options: Options
  onChange: (value: string) => void
}

/** The same without a label that is seen. */
export function Select({ label, options, onChange, className, children, ...rest }: SelectProps) {
  return (
    <select
      aria-label={label}
      className={classes(inputClass, className)}
      onChange={event => onChange(event.target.value)}
      {...rest}
    >
      {children}
      {optionsOf(options)}
    </select>
  )
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'type'> {
  name: string
  label: ReactNode
  hint?: ReactNode
}

/** Its value in the form is `on`, or missing. */
export function CheckField({ label, hint, className, ...rest }: CheckProps) {
  const { id, control, below } = useLabelled(rest.name, hint)
  return (
    <div className={classes('flex gap-2.5', className)}>
      <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" {...control} {...rest} />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {below}
      </div>
    </div>
  )
}

/** One of several checkboxes with a common legend. */
export function CheckRow({ label, hint, ...rest }: CheckProps) {
  return (
    <label className="flex min-h-9 items-start gap-2.5 py-1 max-md:min-h-11 max-md:items-center">
      <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" {...rest} />
      <span className="min-w-0">
        <span className="block truncate">{label}</span>
        {hint && <span className="block text-xs text-quiet">{hint}</span>}
      </span>
    </label>
  )
}

/** The attributes that tie a control to its hint and to the server's fault, and both of them. */
function useLabelled(name: string, hint: ReactNode) {
  const id = useId()
  const fault = useFault(name)
  const described = classes(fault && `${id}-fault`, hint ? `${id}-hint` : undefined) || undefined
  const invalid = fault ? true : undefined
  const control: ControlProps = { id, name, 'aria-describedby': described, 'aria-invalid': invalid }
  const below = (
    <>
      {fault && (
        <p id={`${id}-fault`} className="text-bad">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-quiet">
          {hint}
        </p>
      )}
    </>
  )
  return { id, control, below }
}
