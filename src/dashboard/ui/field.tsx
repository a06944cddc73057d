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
  const id = useId()
  const fault = useFault(name)
  const described = classes(fault && `${id}-fault`, hint ? `${id}-hint` : undefined) || undefined
  return (
    <div className="space-y-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label} {optional && <span className="font-normal text-quiet">({t.words.optional})</span>}
        </label>
        {aside}
      </div>
      {children({ id, name, 'aria-describedby': described, 'aria-invalid': fault ? true : undefined })}
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
    </div>
  )
}

type Named<Tag extends 'input' | 'textarea' | 'select'> = FieldProps & ComponentProps<Tag> & { name: string }

function split<Props extends FieldProps & { name: string; className?: string }>(props: Props) {
  const { label, hint, optional, aside, className, ...rest } = props
  return { frame: { label, hint, optional, aside, name: props.name }, className, rest }
}

export function TextField(props: Named<'input'>) {
  const { frame, className, rest } = split(props)
  return (
    <Field {...frame}>
      {control => <input {...rest} {...control} className={classes(inputClass, className)} />}
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

/** The browser's own list, which suits every device. Children are <option>s. */
export function SelectField(props: Named<'select'>) {
  const { frame, className, rest } = split(props)
  return (
    <Field {...frame}>
      {control => <select {...rest} {...control} className={classes(inputClass, className)} />}
    </Field>
  )
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'type'> {
  name: string
  label: ReactNode
  hint?: ReactNode
}

/** Its value in the form is `on`, or missing. */
export function CheckField({ label, hint, className, ...rest }: CheckProps) {
  const id = useId()
  const fault = useFault(rest.name)
  const described = classes(fault && `${id}-fault`, hint ? `${id}-hint` : undefined) || undefined
  return (
    <div className={classes('flex gap-2.5', className)}>
      <input
        type="checkbox"
        id={id}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        aria-describedby={described}
        aria-invalid={fault ? true : undefined}
        {...rest}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
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
      </div>
    </div>
  )
}
