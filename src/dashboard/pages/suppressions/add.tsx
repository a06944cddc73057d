// Adding addresses to the list: typed, pasted, or from a file of another service.
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { readAddresses } from '../../ui/addresses'
import { TextArea, TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'
import { Progress } from '../../ui/progress'

/** How many the API takes at once. */
const portion = 1_000

export function AddSuppressions() {
  const [text, setText] = useState('')
  const [done, setDone] = useState<number>()
  const emails = readAddresses(text)
  const add = async ({ note = '' }: Values): Promise<string> => {
    setDone(0)
    const sum = { added: 0, existing: 0 }
    try {
      for (let from = 0; from < emails.length; from += portion) {
        const body = { emails: emails.slice(from, from + portion), note }
        const { added, existing } = (await answer(api.POST('/suppressions', { body })))!
        sum.added += added
        sum.existing += existing
        setDone(Math.min(emails.length, from + portion))
      }
    } finally {
      setDone(undefined)
      void refresh('suppressions')
    }
    setText('')
    return t.suppressions.added(sum.added, sum.existing)
  }
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file) setText(await file.text())
  }
  return (
    <FormDialogButton
      label={t.suppressions.add}
      variant="strong"
      description={t.suppressions.addHint}
      action={t.suppressions.addNumber(emails.length)}
      onSubmit={add}
    >
      <label className="block space-y-1.5">
        <span className="font-medium">{t.suppressions.file}</span>
        <input
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          className="control block w-full text-quiet"
          onChange={event => void readFile(event.target.files?.[0])}
        />
      </label>
      <TextArea
        name="addresses"
        label={t.words.addresses}
        rows={5}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <TextField name="note" label={t.suppressions.note} optional maxLength={500} autoComplete="off" />
      {done !== undefined && (
        <Progress label={t.words.adding} percent={Math.round((100 * done) / emails.length)} />
      )}
    </FormDialogButton>
  )
}
