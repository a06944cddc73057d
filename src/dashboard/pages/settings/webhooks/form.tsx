// The form of an endpoint: its address and the events that it receives.
import { useState } from 'react'
import { t } from '../../../texts'
import { TextField } from '../../../ui/field'
import { Form } from '../../../ui/form'
import { DialogButtons } from '../../../ui/form-dialog'
import type { Endpoint } from './data'
import { EventChoice } from './event-choice'

export type Said = Pick<Endpoint, 'url' | 'description' | 'eventTypes'>

interface EndpointFormProps {
  said: Said
  action: string
  onSubmit: (said: Said) => Promise<void>
  onClose: () => void
}

export function EndpointForm({ said, action, onSubmit, onClose }: EndpointFormProps) {
  const [eventTypes, setEventTypes] = useState(said.eventTypes)
  return (
    <Form onSubmit={({ url = '', description = '' }) => onSubmit({ url, description, eventTypes })}>
      <TextField
        name="url"
        type="url"
        label={t.words.url}
        hint={t.webhooks.urlHint}
        defaultValue={said.url}
        placeholder="https://"
        maxLength={2_000}
        autoComplete="off"
        required
      />
      <TextField
        name="description"
        label={t.words.description}
        defaultValue={said.description}
        maxLength={500}
        autoComplete="off"
        optional
      />
      <EventChoice chosen={eventTypes} onChange={setEventTypes} />
      <DialogButtons onCancel={onClose}>{action}</DialogButtons>
    </Form>
  )
}
