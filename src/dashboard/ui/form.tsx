// A form whose faults come from the server: each is shown at its field, those that belong to none above the button.
import { createContext, type FormEvent, type ReactNode, useContext, useState } from 'react'
import { ApiError } from '../api/error'
import { Button, type ButtonLook } from './button'
import { ErrorNote } from './error-note'

export type Values = Record<string, string>

interface FormState {
  busy: boolean
  faults: Values
}

const FormContext = createContext<FormState>({ busy: false, faults: {} })

/** The server's fault for a field. */
export function useFault(name: string): string | undefined {
  return useContext(FormContext).faults[name]
}

/** For fields outside a form, because what is typed is kept at once: the server's faults, by name. */
export function Faults({ of, children }: { of: Values; children: ReactNode }) {
  return <FormContext value={{ busy: false, faults: of }}>{children}</FormContext>
}

interface FormProps {
  /** Gets what was typed, by name; an error that it throws is shown. */
  onSubmit: (values: Values, form: FormData) => Promise<unknown> | unknown
  children: ReactNode
  className?: string
  id?: string
}

export function Form({ onSubmit, children, className = 'space-y-4', id }: FormProps) {
  const [state, setState] = useState<FormState>({ busy: false, faults: {} })
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    setState({ busy: true, faults: {} })
    setError(undefined)
    try {
      await onSubmit(textsOf(data), data)
      setState({ busy: false, faults: {} })
    } catch (problem) {
      const { faults, rest } = share(problem, form)
      setState({ busy: false, faults })
      setError(rest)
    }
  }
  return (
    <FormContext value={state}>
      <form id={id} className={className} onSubmit={submit}>
        {children}
        {error !== undefined && <ErrorNote error={error} />}
      </form>
    </FormContext>
  )
}

/** The button that submits its form. */
export function SubmitButton({ children, look = 'strong', className }: SubmitProps) {
  const { busy } = useContext(FormContext)
  return (
    <Button type="submit" look={look} busy={busy} className={className}>
      {children}
    </Button>
  )
}

interface SubmitProps {
  children: ReactNode
  look?: ButtonLook
  className?: string
}

function textsOf(data: FormData): Values {
  return Object.fromEntries([...data].filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

/** Assigns faults to the form's fields; the rest is shown only if something remains. */
function share(problem: unknown, form: HTMLFormElement): { faults: Values; rest: unknown } {
  const all = problem instanceof ApiError ? (problem.about.faults ?? []) : []
  const here = all.filter(({ field }) => form.elements.namedItem(field) !== null)
  const first = here[0] && form.elements.namedItem(here[0].field)
  if (first instanceof HTMLElement) first.focus()
  const faults = Object.fromEntries(here.map(({ field, message }) => [field, message]))
  return { faults, rest: all.length > 0 && here.length === all.length ? undefined : problem }
}
