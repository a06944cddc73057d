// The form of an endpoint: its address and the events that it receives, which are Waxwing's own, those that the project has seen, and any
// other by its name.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { CheckRow, inputClass, TextField } from '../../../ui/field'
import { Form, useFault } from '../../../ui/form'
import { DialogButtons } from '../../../ui/form-dialog'
import { type Endpoint, eventNamesQuery } from './data'

export type EndpointInput = Pick<Endpoint, 'url' | 'description' | 'eventTypes'>

interface EndpointFormProps {
  given: EndpointInput
  action: string
  onSubmit: (given: EndpointInput) => Promise<void>
  onClose: () => void
}

export function EndpointForm({ given, action, onSubmit, onClose }: EndpointFormProps) {
  const [eventTypes, setEventTypes] = useState(given.eventTypes)
  return (
    <Form onSubmit={({ url = '', description = '' }) => onSubmit({ url, description, eventTypes })}>
      <TextField
        name="url"
        type="url"
        label={t.words.url}
        hint={t.webhooks.urlHint}
        defaultValue={given.url}
        placeholder="https://"
        maxLength={2_000}
        autoComplete="off"
        required
      />
      <TextField
        name="description"
        label={t.words.description}
        defaultValue={given.description}
        maxLength={500}
        autoComplete="off"
        optional
      />
      <EventChoice chosen={eventTypes} onChange={setEventTypes} />
      <DialogButtons onCancel={onClose}>{action}</DialogButtons>
    </Form>
  )
}

const standard = [
  'email.delivery',
  'email.bounce',
  'email.failed',
  'email.complaint',
  'email.open',
  'email.click',
  'email.sent',
  'contact.subscribed',
  'contact.unsubscribed',
  'campaign.paused',
]
/** How many of the project's own are shown, the most frequent; others are found by their name. */
const mostOwn = 6

interface EventChoiceProps {
  chosen: readonly string[]
  onChange: (names: string[]) => void
}

function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const { data: seen = [] } = useQuery(eventNamesQuery)
  const [given] = useState(chosen)
  const own = seen.filter(name => !standard.includes(name)).slice(0, mostOwn)
  const offered = [...new Set([...standard, ...given, ...own, ...chosen])]
  const fault = useFault('eventTypes')
  const toggle = (name: string): void =>
    onChange(chosen.includes(name) ? chosen.filter(each => each !== name) : [...chosen, name])
  return (
    <fieldset className="space-y-2">
      <legend className="pb-1.5 font-medium">{t.webhooks.eventTypes}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {offered.map(name => (
          <CheckRow
            key={name}
            name="eventTypes"
            label={name}
            hint={t.webhooks.meanings[name]}
            checked={chosen.includes(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </div>
      <Another
        suggestions={seen.filter(name => !offered.includes(name))}
        onAdd={name => !chosen.includes(name) && onChange([...chosen, name])}
      />
      {fault && <p className="text-bad">{fault}</p>}
    </fieldset>
  )
}

function Another({ suggestions, onAdd }: { suggestions: readonly string[]; onAdd: (name: string) => void }) {
  const [name, setName] = useState('')
  const id = useId()
  const add = (): void => {
    if (name.trim()) onAdd(name.trim())
    setName('')
  }
  return (
    <div className="flex gap-2">
      <input
        aria-label={t.webhooks.anotherEvent}
        placeholder={t.webhooks.anotherEvent}
        className={inputClass}
        value={name}
        maxLength={255}
        list={id}
        autoComplete="off"
        onChange={event => setName(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <datalist id={id}>
        {suggestions.map(each => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Button onClick={add}>{t.webhooks.addEvent}</Button>
    </div>
  )
}
