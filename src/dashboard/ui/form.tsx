// A form whose faults come from the server: each is shown at its field, those that belong to none above the form. The first one gets the
// focus, and each goes as soon as its field changes.
import {
  createContext,
  type FormEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ApiError } from '../api/error'
import { Button, type ButtonVariant } from './button'
import { ErrorNote } from './error-note'

export type Values = Record<string, string>

interface FormState {
  busy: boolean
  faults: Values
}

interface FormContent extends FormState {
  /** The names of the fields that show their fault. */
  fields?: Set<string>
}

const FormContext = createContext<FormContent>({ busy: false, faults: {} })

/** The server's fault for a field, which must show it: the form no longer does. */
export function useFault(name: string): string | undefined {
  const { faults, fields } = useContext(FormContext)
  useEffect(() => {
    fields?.add(name)
    return () => void fields?.delete(name)
  }, [fields, name])
  return faults[name]
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
  ref?: Ref<HTMLFormElement>
  /** What is sent, where other parts of the page change it too: faults are about what it was. */
  about?: unknown
}

export function Form({ onSubmit, children, className = 'space-y-4', id, ref, about }: FormProps) {
  const [state, setState] = useState<FormState>({ busy: false, faults: {} })
  const [error, setError] = useState<unknown>()
  const fields = useRef(new Set<string>()).current
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (state.busy) return
    const form = event.currentTarget
    const data = new FormData(form)
    setState({ busy: true, faults: {} })
    setError(undefined)
    try {
      await onSubmit(textsOf(data), data)
      setState({ busy: false, faults: {} })
    } catch (problem) {
      const { faults, remaining } = share(problem, form, fields)
      setState({ busy: false, faults })
      setError(remaining)
    }
  }
  const clearFaults = useCallback((field?: string): void => {
    setError(undefined)
    setState(old => withoutFault(old, field))
  }, [])
  const sent = useRef(about)
  useEffect(() => {
    if (sent.current !== about) clearFaults()
    sent.current = about
  }, [about, clearFaults])
  return (
    <FormContext value={{ ...state, fields }}>
      <form
        ref={ref}
        id={id}
        className={className}
        onSubmit={submit}
        onChange={event => clearFaults((event.target as unknown as HTMLInputElement).name)}
      >
        {error !== undefined && <ErrorNote error={error} takesFocus />}
        {children}
      </form>
    </FormContext>
  )
}

/** Without a name, without all of them. */
function withoutFault(state: FormState, field: string | undefined): FormState {
  const left = Object.entries(state.faults).filter(([name]) => field !== undefined && name !== field)
  return left.length === Object.keys(state.faults).length
    ? state
    : { ...state, faults: Object.fromEntries(left) }
}

/** The button that submits its form. */
export function SubmitButton({ children, variant = 'strong', className, disabled }: SubmitProps) {
  const { busy } = useContext(FormContext)
  return (
    <Button type="submit" variant={variant} busy={busy} className={className} disabled={disabled}>
      {children}
    </Button>
  )
}

interface SubmitProps {
  children: ReactNode
  variant?: ButtonVariant
  className?: string
  disabled?: boolean
}

function textsOf(data: FormData): Values {
  return Object.fromEntries([...data].filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

/** Assigns faults to the form's fields; the rest is shown only if something remains. */
function share(
  problem: unknown,
  form: HTMLFormElement,
  fields: ReadonlySet<string>,
): { faults: Values; remaining: unknown } {
  const all = problem instanceof ApiError ? (problem.about.faults ?? []) : []
  const here = all.filter(({ field }) => fields.has(field))
  const first = here[0] && form.elements.namedItem(here[0].field)
  if (first instanceof HTMLElement) first.focus()
  const faults = Object.fromEntries(here.map(({ field, message }) => [field, message]))
  return { faults, remaining: all.length > 0 && here.length === all.length ? undefined : problem }
}
