// Fields of a step that several kinds have. What is typed is kept at once.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Config } from '../../../editor/flow/graph'
import { t } from '../../../texts'
import { Field, inputClass, TextField } from '../../../ui/field'
import { eventNamesQuery } from '../data'

/** A configuration and how it is changed; `key` joins what is typed in one field into one undo step. */
export interface PanelProps {
  config: Config
  onChange: (config: Config, key?: string) => void
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface EventFieldProps {
  value: string
  onChange: (name: string) => void
  name: string
  label: string
}

export function EventField({ value, onChange, name, label }: EventFieldProps) {
  const { data: events = [] } = useQuery(eventNamesQuery)
  const id = useId()
  return (
    <>
      <TextField
        name={name}
        label={label}
        value={value}
        maxLength={255}
        list={id}
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
      />
      <datalist id={id}>
        {events.map(event => (
          <option key={event} value={event} />
        ))}
      </datalist>
    </>
  )
}

const units = ['minutes', 'hours', 'days'] as const
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
          <select
            aria-label={t.workflows.unit}
            className={inputClass}
            value={unit}
            onChange={event => onChange(amount, event.target.value as Unit)}
          >
            {units.map(each => (
              <option key={each} value={each}>
                {t.workflows.units[each]}
              </option>
            ))}
          </select>
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

interface JsonFieldProps {
  name: string
  label: string
  hint?: string
  value: unknown
  onChange: (value: unknown) => void
}

/** JSON as text; stored when it is valid, and marked while it is not. */
export function JsonField({ name, label, hint, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  const read = readJson(text)
  const change = (next: string): void => {
    setText(next)
    const found = readJson(next)
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
