// Sender, subject and preview text, as lines above the paper; and what is set once for the email. To be used inside a Form, whose faults
// they show.
import { useQuery } from '@tanstack/react-query'
import { Braces, ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { domainsQuery } from '../api/domains'
import { mayWrite, useProject } from '../app/session'
import { t } from '../texts'
import { IconButton } from '../ui/button'
import { classes } from '../ui/classes'
import { SelectField, TextField } from '../ui/field'
import { useFault } from '../ui/form'
import { Menu } from '../ui/menu'
import { variableLabel, variablesOf } from './blocks/variables'
import { fieldNamesQuery, layoutsQuery } from './data'
import { type MessageType, preheaderOf, type Writing, withPreheader } from './writing'

interface MessageFieldsProps {
  value: Writing
  onChange: (value: Writing) => void
  /** A line for who gets it. */
  audience?: ReactNode
}

const types = ['MARKETING', 'TRANSACTIONAL', 'HEADLESS'] as const satisfies MessageType[]

export function MessageFields({ value, onChange, audience }: MessageFieldsProps) {
  const field = (name: 'name' | 'subject' | 'from' | 'fromName' | 'replyTo') => ({
    name,
    label: name === 'name' ? t.words.name : t.writing[name],
    value: value[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...value, [name]: event.target.value }),
  })
  return (
    <div className="border-line bg-sheet max-md:border-b md:rounded-lg md:border">
      <div className="flex divide-line max-md:flex-col md:flex-wrap max-md:divide-y md:divide-x">
        <Line {...field('fromName')} maxLength={100} placeholder={t.words.optional} />
        <Sender {...field('from')} isSecond />
      </div>
      {audience}
      <WithVariables {...field('subject')} required maxLength={998} />
      {value.format !== 'source' && (
        <WithVariables
          name="preheader"
          label={t.writing.preheader}
          maxLength={300}
          value={preheaderOf(value)}
          onChange={event => onChange(withPreheader(value, event.target.value))}
        />
      )}
      <Details>
        <TextField {...field('name')} required maxLength={100} />
        <TextField {...field('replyTo')} type="email" optional />
        <SelectField
          name="type"
          label={t.words.kind}
          hint={t.writing.typeHints[value.type]}
          value={value.type}
          options={types.map(type => [type, t.writing.types[type]])}
          onChange={event => onChange({ ...value, type: event.target.value as MessageType })}
        />
        <LayoutChoice value={value.layoutId} onChange={layoutId => onChange({ ...value, layoutId })} />
      </Details>
    </div>
  )
}

interface LineProps extends Omit<ComponentProps<'input'>, 'ref'> {
  name: string
  label: string
  /** At the end of the line. */
  aside?: ReactNode
  suggestions?: readonly string[]
  input?: ComponentProps<'input'>['ref']
  /** In the line of another one. */
  isSecond?: boolean
}

function Line({ label, aside, suggestions, input, isSecond, ...rest }: LineProps) {
  const id = useId()
  const fault = useFault(rest.name)
  return (
    <div className="min-w-0 flex-1 md:basis-64">
      <div
        className={classes(
          'flex items-center gap-2 pl-4 has-[input:focus-visible]:bg-hover',
          !isSecond && 'md:pl-8',
        )}
      >
        <label
          htmlFor={id}
          className={classes('shrink-0 text-[0.8125rem] text-quiet max-md:w-24', !isSecond && 'w-24')}
        >
          {label}
        </label>
        <input
          id={id}
          ref={input}
          {...rest}
          list={suggestions && `${id}-list`}
          autoComplete="off"
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
          className="h-11 min-w-0 flex-1 bg-transparent pr-4 outline-none max-md:text-base md:h-9"
        />
        {aside}
        {suggestions && (
          <datalist id={`${id}-list`}>
            {suggestions.map(each => (
              <option key={each} value={each} />
            ))}
          </datalist>
        )}
      </div>
      {fault && (
        <p id={`${id}-fault`} className="px-4 pb-2 text-bad md:px-8">
          {fault}
        </p>
      )}
    </div>
  )
}

/** A line whose text may greet its reader by name. */
function WithVariables({ ...line }: LineProps) {
  const { data: fields = [] } = useQuery(fieldNamesQuery)
  const input = useRef<HTMLInputElement>(null)
  const insert = (name: string): void => {
    const { current } = input
    if (!current) return
    current.focus()
    // By the browser, at the cursor.
    document.execCommand('insertText', false, `{{${name} ?? "${t.writing.fallbackSample}"}}`)
  }
  return (
    <div className="border-t border-line">
      <Line
        {...line}
        input={input}
        aside={
          <Menu
            trigger={
              <IconButton label={t.writing.variableIn(line.label)} className="mr-1">
                <Braces aria-hidden />
              </IconButton>
            }
            entries={variablesOf(fields)
              .filter(name => !name.endsWith('Url'))
              .map(name => ({ label: variableLabel(name), onSelect: () => insert(name) }))}
          />
        }
      />
    </div>
  )
}

/** What is rarely touched; open for those who only read, and as soon as something in it is at fault, and as long as that is so. */
function Details({ children }: { children: ReactNode }) {
  const id = useId()
  const canWrite = mayWrite(useProject())
  const [isOpen, setOpen] = useState(!canWrite)
  const faults = [useFault('name'), useFault('replyTo'), useFault('type'), useFault('layoutId')]
  const isAtFault = faults.some(fault => fault)
  // It stays open when the fault goes, which is with the first letter that is typed.
  useLayoutEffect(() => {
    if (isAtFault) setOpen(true)
  }, [isAtFault])
  return (
    <div className="border-t border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="flex h-11 w-full items-center justify-between px-4 text-[0.8125rem] text-quiet hover:text-ink md:h-9 md:px-8"
        onClick={() => setOpen(isAtFault || !isOpen)}
      >
        {t.writing.details}
        <ChevronDown className={classes('size-4', isOpen && 'rotate-180')} aria-hidden />
      </button>
      <div
        id={id}
        className={classes('gap-4 px-4 pt-2 pb-5 md:grid-cols-2 md:px-8', isOpen ? 'grid' : 'hidden')}
        onInvalidCapture={() => setOpen(true)}
      >
        {children}
      </div>
    </div>
  )
}

/** If there are no layouts to choose from, it says where they are made. */
function LayoutChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data: layouts } = useQuery(layoutsQuery)
  const isKnown = !value || layouts?.some(({ id }) => id === value)
  return (
    <SelectField
      name="layoutId"
      label={t.writing.layout}
      hint={layouts?.length === 0 ? t.writing.layoutsMissing : t.writing.layoutHint}
      value={value}
      options={layouts?.map(({ id, name }) => [id, name])}
      onChange={event => onChange(event.target.value)}
    >
      <option value="">{t.writing.noLayout}</option>
      {!isKnown && <option value={value}>{t.writing.unknownLayout}</option>}
    </SelectField>
  )
}

/** Any address; those of domains that may send are suggested. */
function Sender(props: LineProps) {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const suggestions = domains.map(({ domain }) => `hello@${domain}`)
  return <Line {...props} type="email" required suggestions={suggestions} />
}
