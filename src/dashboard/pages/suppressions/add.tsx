// Adding addresses to the list: typed, pasted, or from a file of another service.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { readAddresses } from '../../ui/addresses'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextArea, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { Progress } from '../../ui/progress'
import { toast } from '../../ui/toast'

/** How many the API takes at once. */
const portion = 1_000

export function AddSuppressions() {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [done, setDone] = useState<number>()
  const emails = readAddresses(text)
  const add = async ({ note = '' }: Values): Promise<void> => {
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
      void queries.invalidateQueries({ queryKey: ['suppressions'] })
    }
    toast(t.suppressions.added(sum.added, sum.existing))
    setText('')
    setOpen(false)
  }
  const read = async (file: File | undefined): Promise<void> => {
    if (file) setText(await file.text())
  }
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.suppressions.add}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.suppressions.add}
        description={t.suppressions.addHint}
      >
        <Form onSubmit={add}>
          <label className="block space-y-1.5">
            <span className="font-medium">{t.suppressions.file}</span>
            <input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              className="control block w-full text-quiet"
              onChange={event => void read(event.target.files?.[0])}
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
          <DialogButtons onCancel={() => setOpen(false)}>
            {t.suppressions.addNumber(emails.length)}
          </DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
