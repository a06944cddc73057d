// Creating a contact by hand.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { CheckField, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { toast } from '../../ui/toast'

export function CreateContact() {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [subscribes, setSubscribes] = useState(true)
  const create = async ({ email, subscribed, startWorkflows }: Values): Promise<void> => {
    const body = {
      email: email ?? '',
      subscribed: subscribed === 'on',
      ...(startWorkflows === 'on' && { startWorkflows: true }),
    }
    const contact = await answer(api.POST('/contacts', { body }))
    setOpen(false)
    toast(contact?._meta.isNew ? t.contacts.created : t.contacts.known)
    void queries.invalidateQueries({ queryKey: ['contacts'] })
    if (contact) await navigate({ to: '/contacts/$id', params: { id: contact.id } })
  }
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.contacts.create}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.contacts.create}>
        <Form onSubmit={create}>
          <TextField name="email" type="email" label={t.words.address} required autoComplete="off" />
          <CheckField
            name="subscribed"
            label={t.contacts.subscribes}
            hint={t.contacts.subscribesHint}
            checked={subscribes}
            onChange={event => setSubscribes(event.target.checked)}
          />
          {subscribes && (
            <CheckField
              name="startWorkflows"
              label={t.contacts.startWorkflows}
              hint={t.contacts.startWorkflowsHint}
            />
          )}
          <DialogButtons onCancel={() => setOpen(false)}>{t.contacts.create}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
