// What a form asks for besides the address: one row for each field, in their order.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field'
import type { SignUpField } from './data'

const most = 20
const types = ['text', 'number', 'date', 'choice', 'checkbox'] as const

interface FieldsProps {
  fields: SignUpField[]
  onChange: (fields: SignUpField[]) => void
}

export function FieldsEditor({ fields, onChange }: FieldsProps) {
  const add = (): void => onChange([...fields, { key: '', label: '', type: 'text', required: false }])
  return (
    <div className="space-y-4">
      {fields.length > 0 && (
        <ol className="space-y-4">
          {fields.map((field, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: fields have no names of their own while they are written.
            <li key={at} className="space-y-4 rounded-lg border border-line p-3.5">
              <FieldRow fields={fields} at={at} field={field} onChange={onChange} />
            </li>
          ))}
        </ol>
      )}
      {fields.length < most && (
        <Button onClick={add}>
          <Plus aria-hidden />
          {t.forms.addField}
        </Button>
      )}
    </div>
  )
}

function FieldRow({ fields, at, field, onChange }: FieldsProps & { at: number; field: SignUpField }) {
  const set = (part: Partial<SignUpField>): void => onChange(fields.with(at, { ...field, ...part }))
  const move = (by: -1 | 1): void => onChange(fields.with(at, fields[at + by]!).with(at + by, field))
  const name = (part: string): string => `fields.${at}.${part}`
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          name={name('label')}
          label={t.forms.label}
          required
          maxLength={200}
          value={field.label}
          onChange={event => set(labelled(field, event.target.value))}
        />
        <TextField
          name={name('key')}
          label={t.forms.key}
          required
          pattern="[A-Za-z][A-Za-z0-9_\-]{0,63}"
          title={t.forms.keyHint}
          maxLength={64}
          autoComplete="off"
          value={field.key}
          onChange={event => set({ key: event.target.value })}
        />
      </div>
      <SelectField
        name={name('type')}
        label={t.words.kind}
        value={field.type}
        options={types.map(type => [type, t.forms.types[type]])}
        onChange={event => set({ type: event.target.value as SignUpField['type'] })}
      />
      {field.type === 'choice' && (
        <TextArea
          name={name('options')}
          label={t.forms.options}
          hint={t.forms.optionsHint}
          required
          rows={3}
          value={(field.options ?? []).join('\n')}
          onChange={event => set({ options: event.target.value.split('\n') })}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <CheckField
          name={name('required')}
          label={t.forms.required}
          checked={field.required ?? false}
          onChange={event => set({ required: event.target.checked })}
        />
        <div className="flex gap-1">
          <IconButton label={t.forms.up(field.label)} disabled={at === 0} onClick={() => move(-1)}>
            <ArrowUp aria-hidden />
          </IconButton>
          <IconButton
            label={t.forms.down(field.label)}
            disabled={at === fields.length - 1}
            onClick={() => move(1)}
          >
            <ArrowDown aria-hidden />
          </IconButton>
          <IconButton
            label={t.forms.removeField(field.label)}
            onClick={() => onChange(fields.toSpliced(at, 1))}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      </div>
    </>
  )
}

/** The key follows the label until somebody writes another one. */
function labelled(field: SignUpField, label: string): Partial<SignUpField> {
  return field.key === keyFor(field.label) ? { label, key: keyFor(label) } : { label }
}

/** `First name` is kept as `firstName`. */
function keyFor(label: string): string {
  const words = label
    .normalize('NFD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .trim()
    .split(/ +/)
  const [first = '', ...rest] = words.map(word => word.toLowerCase())
  const key = first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return key.replace(/^[0-9]+/, '').slice(0, 64)
}
