// The custom fields of a contact, each with its type. Unchanged fields are not sent, so that two people who edit different fields do not
// overwrite each other's changes.
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button, IconButton } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { inputClass, Select } from '../../ui/field'
import { toast } from '../../ui/toast'
import type { Contact } from './data'
import { editedText, readValue, typeOf, types, type ValueType } from './value'

interface Row {
  key: number
  name: string
  type: ValueType
  text: string
}

let lastKey = 0

function rowsOf(data: Record<string, unknown>): Row[] {
  return Object.entries(data).map(([name, value]) => ({
    key: lastKey++,
    name,
    type: typeOf(value),
    text: editedText(value),
  }))
}

/** What to send: fields that changed, and null for those that were removed. */
function patchOf(before: Record<string, unknown>, rows: readonly Row[]): Record<string, unknown> {
  const now = Object.fromEntries(
    rows.filter(row => row.name).map(row => [row.name, readValue(row.text, row.type)]),
  )
  const gone = Object.keys(before).filter(name => !(name in now))
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries([...changed, ...gone.map(name => [name, null] as const)])
}

export function DataEditor({ contact: { id, data } }: { contact: Contact }) {
  const [rows, setRows] = useState(() => rowsOf(data))
  const { busy, error, run, clear } = useAttempt()
  const patch = patchOf(data, rows)
  const wrong = rows.some(row => row.name !== '' && readValue(row.text, row.type) === undefined)
  const changeRows = (next: (all: Row[]) => Row[]): void => {
    setRows(next)
    clear()
  }
  const change = (key: number, part: Partial<Row>): void =>
    changeRows(all => all.map(row => (row.key === key ? { ...row, ...part } : row)))
  const save = async (): Promise<void> => {
    await answer(api.PATCH('/contacts/{id}', { params: { path: { id } }, body: { data: patch } }))
    await refresh('contacts')
    toast(t.words.saved)
  }
  return (
    <div className="space-y-3">
      {rows.length === 0 && <p className="text-quiet">{t.contacts.noData}</p>}
      {rows.map(row => (
        <FieldRow
          key={row.key}
          row={row}
          onChange={part => change(row.key, part)}
          onRemove={() => changeRows(all => all.filter(each => each !== row))}
        />
      ))}
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      <div className="flex justify-between gap-2">
        <Button
          variant="quiet"
          onClick={() => setRows(all => [...all, { key: lastKey++, name: '', type: 'text', text: '' }])}
        >
          <Plus aria-hidden /> {t.contacts.addField}
        </Button>
        <Button
          variant="strong"
          busy={busy}
          disabled={wrong || Object.keys(patch).length === 0}
          onClick={() => run(save)}
        >
          {t.words.save}
        </Button>
      </div>
    </div>
  )
}

interface FieldRowProps {
  row: Row
  onChange: (part: Partial<Row>) => void
  onRemove: () => void
}

function FieldRow({ row: { name, type, text }, onChange, onRemove }: FieldRowProps) {
  const isWrong = name !== '' && readValue(text, type) === undefined
  return (
    <div className="space-y-1.5 border-b border-line pb-3">
      <div className="grid grid-cols-[minmax(0,1fr)_7rem_auto] gap-1.5">
        <input
          aria-label={t.words.name}
          placeholder={t.words.name}
          className={inputClass}
          value={name}
          maxLength={100}
          onChange={event => onChange({ name: event.target.value })}
        />
        <Select
          label={t.words.type}
          value={type}
          options={types.map(each => [each, t.contacts.types[each]])}
          onChange={value => onChange({ type: value as ValueType })}
        />
        <IconButton label={t.contacts.removeField(name)} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </div>
      {type === 'boolean' ? (
        <Select
          label={name}
          value={String(text === 'true')}
          options={Object.entries({ true: t.contacts.yes, false: t.contacts.no })}
          onChange={value => onChange({ text: value })}
        />
      ) : (
        <input
          aria-label={name || t.words.value}
          aria-invalid={isWrong || undefined}
          inputMode={type === 'number' ? 'decimal' : undefined}
          className={inputClass}
          value={text}
          onChange={event => onChange({ text: event.target.value })}
        />
      )}
    </div>
  )
}
