// What a test needs: a value of the field's type, with known values as suggestions, or a span of time.
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { t } from '../../texts'
import { inputClass, Select } from '../../ui/field'
import { campaignReactions, type Kind } from './operators'
import type { DurationUnit, Filter } from './tree'
import { typedValue, valuesQuery } from './vocabulary'

export interface InputProps {
  filter: Filter
  kind: Kind
  onChange: (filter: Filter) => void
}

export function ValueInput(props: InputProps) {
  const { filter, kind, onChange } = props
  const put = (value: Filter['value']) => onChange({ ...filter, value })
  if (kind === 'boolean' || kind === 'subscribed' || kind === 'topic') return <Truth {...props} />
  if (kind === 'campaign') return <Reaction {...props} />
  if (kind === 'text' && filter.field.startsWith('data.')) return <Suggested {...props} />
  const type = { number: 'number', date: 'date' }[kind as string] ?? 'text'
  return (
    <input
      type={type}
      step={kind === 'number' ? 'any' : undefined}
      aria-label={t.words.value}
      className={inputClass}
      defaultValue={shownIn(type, filter.value)}
      onChange={({ target }) => put(type === 'number' ? numberOf(target.value) : target.value)}
    />
  )
}

/** A date field shows the day of a moment. */
function shownIn(type: string, value: Filter['value']): string {
  return type === 'date' ? String(value ?? '').slice(0, 10) : String(value ?? '')
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
}

function Truth({ filter, kind, onChange }: InputProps) {
  const [yes, no] =
    kind === 'boolean' ? [t.filter.yes, t.filter.no] : [t.filter.subscribed, t.filter.unsubscribed]
  return (
    <Select
      label={t.words.value}
      value={String(filter.value ?? true)}
      options={[
        ['true', yes],
        ['false', no],
      ]}
      onChange={value => onChange({ ...filter, value: value === 'true' })}
    />
  )
}

function Reaction({ filter, onChange }: InputProps) {
  return (
    <Select
      label={t.words.value}
      value={String(filter.value ?? campaignReactions[0])}
      options={campaignReactions.map(each => [each, t.filter.campaignReactions[each]])}
      onChange={value => onChange({ ...filter, value })}
    />
  )
}

function Suggested({ filter, onChange }: InputProps) {
  const id = useId()
  const { data = [] } = useQuery(valuesQuery(filter.field))
  return (
    <>
      <input
        list={id}
        aria-label={t.words.value}
        maxLength={2_000}
        className={inputClass}
        defaultValue={String(filter.value ?? '')}
        onChange={event => onChange({ ...filter, value: typedValue(event.target.value, data) })}
      />
      <datalist id={id}>
        {[...new Set(data.map(String))].map(value => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  )
}

const units: readonly DurationUnit[] = ['days', 'hours', 'minutes']

export function WindowInput({ filter, onChange }: InputProps) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <input
        type="number"
        min={0}
        step="any"
        aria-label={t.filter.amount}
        className={inputClass}
        defaultValue={String(filter.value ?? '')}
        onChange={event => onChange({ ...filter, value: numberOf(event.target.value) })}
      />
      <Select
        label={t.filter.unit}
        value={filter.unit ?? 'days'}
        options={units.map(unit => [unit, t.filter.units[unit]])}
        onChange={unit => onChange({ ...filter, unit: unit as DurationUnit })}
      />
    </div>
  )
}
