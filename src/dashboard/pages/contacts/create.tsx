// Creating a contact manually.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { CheckField, TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'

export function CreateContact() {
  const navigate = useNavigate()
  const [subscribes, setSubscribes] = useState(true)
  const create = async ({ email = '', subscribed, startWorkflows }: Values): Promise<string> => {
    const starts = startWorkflows === 'on' ? { startWorkflows: true } : {}
    const body = { email, subscribed: subscribed === 'on', ...starts }
    const contact = await answer(api.POST('/contacts', { body }))
    if (contact) await navigate({ to: '/contacts/$id', params: { id: contact.id } })
    return contact?._meta.isNew ? t.contacts.created : t.contacts.known
  }
  return (
    <FormDialogButton label={t.contacts.create} variant="strong" onSubmit={create}>
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
    </FormDialogButton>
  )
}
