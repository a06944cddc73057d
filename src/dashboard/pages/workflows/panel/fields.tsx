// Fields of a step that several kinds have. What is typed is kept at once.
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import type { Config } from '../../../editor/flow/graph'
import { t } from '../../../texts'
import { Button, IconButton } from '../../../ui/button'
import { Field, inputClass, Select, TextField } from '../../../ui/field'
import { eventNamesQuery } from '../data'

/** A configuration and how it is changed; `key` joins what is typed in one field into one undo step. */
export interface PanelProps {
  config: Config
  onChange: (config: Config, key?: string) => void
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface EventFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange'> {
  onChange?: (name: string) => void
}

/** The name of an event, with those that were seen. */
export function EventField({ label, onChange, ...rest }: EventFieldProps) {
  const { data: events } = useQuery(eventNamesQuery)
  return (
    <TextField
      {...rest}
      label={label}
      maxLength={255}
      suggestions={events ?? []}
      onChange={event => onChange?.(event.target.value)}
    />
  )
}

export const units = ['minutes', 'hours', 'days'] as const
export type Unit = (typeof units)[number]

interface AmountProps {
  label: string
  name: string
  amount: number | undefined
  unit: Unit
  onChange: (amount: number | undefined, unit: Unit) => void
}

export function AmountField({ label, name, amount, unit, onChange }: AmountProps) {
  return (
    <Field name={name} label={label}>
      {control => (
        <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-2">
          <input
            {...control}
            type="number"
            min={1}
            className={inputClass}
            value={amount ?? ''}
            onChange={event =>
              onChange(event.target.value === '' ? undefined : Number(event.target.value), unit)
            }
          />
          <Select
            label={t.workflows.unit}
            value={unit}
            options={units.map(each => [each, t.workflows.units[each]])}
            onChange={next => onChange(amount, next as Unit)}
          />
        </div>
      )}
    </Field>
  )
}

const seconds: Record<Unit, number> = { minutes: 60, hours: 3_600, days: 86_400 }

/** Seconds in the largest unit that gives a whole number. */
export function toAmount(total: number): { amount: number; unit: Unit } {
  const unit = units.toReversed().find(each => total % seconds[each] === 0) ?? 'minutes'
  return { amount: total / seconds[unit], unit }
}

export function toSeconds(amount: number, unit: Unit): number {
  return amount * seconds[unit]
}

/** What was typed, as the value that it looks like: numbers, true and false do not stay text. */
export function readTyped(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

interface PairsProps {
  legend: string
  hint?: string
  /** What is said of the left column, of a button that removes a row, and of the one that adds one. */
  words: { name: string; remove: (name: string) => string; add: string }
  pairs: Config
  /** What the right column stands for; text unless this says otherwise. */
  read?: (text: string) => unknown
  onChange: (pairs: Config, key?: string) => void
}

/** Names with values, a row each. */
export function PairsField({ legend, hint, words, pairs, read = String, onChange }: PairsProps) {
  const rows = Object.entries(pairs)
  const put = (next: typeof rows, key?: string): void => onChange(Object.fromEntries(next), key)
  const replace = (index: number, row: [string, unknown], column: string): void =>
    put(rows.with(index, row), `${column}.${index}`)
  const cell = (label: string, value: string, change: (text: string) => void, maxLength?: number) => (
    <input
      aria-label={label}
      maxLength={maxLength}
      placeholder={label}
      className={inputClass}
      value={value}
      onChange={event => change(event.target.value)}
    />
  )
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{legend}</legend>
      {hint && <p className="text-quiet">{hint}</p>}
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while one types.
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1.5">
          {cell(words.name, name, text => replace(index, [text, value], 'name'), 100)}
          {cell(t.words.value, typeof value === 'object' ? JSON.stringify(value) : String(value), text =>
            replace(index, [name, read(text)], 'value'),
          )}
          <IconButton label={words.remove(name)} onClick={() => put(rows.toSpliced(index, 1))}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button variant="quiet" disabled={'' in pairs} onClick={() => put([...rows, ['', '']])}>
        <Plus aria-hidden /> {words.add}
      </Button>
    </fieldset>
  )
}

interface JsonFieldProps {
  name: string
  label: string
  hint?: string
  value: unknown
  onChange: (value: unknown) => void
}

/** JSON as text; stored when it is valid, and marked while it is not. */
export function JsonField({ name, label, hint, value, onChange }: JsonFieldProps) {
  const [typed, setTyped] = useState<{ text: string; of: unknown }>()
  // What is typed stays as it is spelled, until the value becomes another one: by Undo, for instance.
  const isTyped = typed !== undefined && JSON.stringify(typed.of) === JSON.stringify(value)
  const text = isTyped ? typed.text : value === undefined ? '' : JSON.stringify(value, null, 2)
  const read = readJson(text)
  const change = (next: string): void => {
    const found = readJson(next)
    setTyped({ text: next, of: found ? found.value : value })
    if (found) onChange(found.value)
  }
  return (
    <Field name={name} label={label} hint={read ? hint : t.workflows.notJson}>
      {control => (
        <textarea
          {...control}
          aria-invalid={!read || control['aria-invalid']}
          rows={3}
          spellCheck={false}
          className={`${inputClass} h-auto py-2 font-mono`}
          value={text}
          onChange={event => change(event.target.value)}
        />
      )}
    </Field>
  )
}

function readJson(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
