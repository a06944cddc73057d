// The custom fields of a contact as text. A press on a value makes it a field in the same place: Enter saves, Escape keeps the old value.
import { type KeyboardEvent, useState } from 'react'
import { answer, api } from '../../api/client'
import { ForWriters } from '../../app/rights'
import { mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { inputClass } from '../../ui/field'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import type { Contact } from './data'
import { DataEditor } from './data-editor'
import { editedText, labelOf, readValue, shownValue, typeOf } from './value'

export function Details({ contact }: { contact: Contact }) {
  const [edits, setEdits] = useState(false)
  const names = Object.keys(contact.data)
  return (
    <Card
      title={t.words.data}
      actions={
        <ForWriters>
          <Button variant="quiet" aria-expanded={edits} onClick={() => setEdits(!edits)}>
            {edits ? t.words.close : t.contacts.editFields}
          </Button>
        </ForWriters>
      }
    >
      {edits ? (
        <DataEditor key={contact.updatedAt} contact={contact} />
      ) : names.length === 0 ? (
        <p className="text-quiet">{t.contacts.noData}</p>
      ) : (
        <dl className="space-y-0.5">
          {names.map(name => (
            <div key={name} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-3">
              <dt className="py-1.5 text-quiet wrap-anywhere max-md:py-3" title={name}>
                {labelOf(name)}
              </dt>
              <dd className="min-w-0">
                <Value key={JSON.stringify(contact.data[name])} contact={contact} name={name} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

function Value({ contact: { id, data }, name }: { contact: Contact; name: string }) {
  const value = data[name]
  const type = typeOf(value)
  const [text, setText] = useState<string>()
  const canWrite = mayWrite(useProject())
  const { busy, error, run, clear } = useAttempt()
  const shown = typeof value === 'boolean' ? (value ? t.contacts.yes : t.contacts.no) : shownValue(value)
  const keep = (): void => {
    setText(undefined)
    clear()
  }
  const save = (): void => {
    if (busy || text === undefined) return
    const next = readValue(text, type)
    if (text === editedText(value)) keep()
    if (text === editedText(value) || next === undefined) return
    void run(async () => {
      // An empty text removes the field.
      const patch = { [name]: next === '' ? null : next }
      await answer(api.PATCH('/contacts/{id}', { params: { path: { id } }, body: { data: patch } }))
      await refresh('contacts')
      toast(t.words.saved)
    })
  }
  if (!canWrite) return <p className="py-1.5 wrap-anywhere max-md:py-3">{shown}</p>
  if (text === undefined)
    return (
      <button
        type="button"
        aria-label={t.contacts.editValue(labelOf(name), shown)}
        className="-mx-2 block min-h-8 w-full rounded-md px-2 py-1.5 text-left wrap-anywhere hover:bg-hover max-md:min-h-11"
        onClick={() => setText(editedText(value))}
      >
        {shown}
      </button>
    )
  const isWrong = readValue(text, type) === undefined
  const shared = {
    'aria-label': labelOf(name),
    className: inputClass,
    autoFocus: true,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') save()
      if (event.key === 'Escape') keep()
    },
    onBlur: save,
  }
  return (
    <>
      {type === 'boolean' ? (
        <select {...shared} value={text} onChange={event => setText(event.target.value)}>
          <option value="true">{t.contacts.yes}</option>
          <option value="false">{t.contacts.no}</option>
        </select>
      ) : (
        <input
          {...shared}
          aria-invalid={isWrong || undefined}
          inputMode={type === 'number' ? 'decimal' : undefined}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      )}
      {isWrong && <p className="text-bad">{t.contacts.wrongValue[type]}</p>}
      {error !== undefined && <ErrorNote error={error} />}
    </>
  )
}
