// Which events an endpoint receives: Waxwing's own, those that the project has seen, and any other by its name.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { inputClass } from '../../../ui/field'
import { useFault } from '../../../ui/form'
import { eventNamesQuery } from './data'

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

export function EventChoice({ chosen, onChange }: EventChoiceProps) {
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
          <label
            key={name}
            className="flex min-h-9 items-start gap-2.5 py-1 max-md:min-h-11 max-md:items-center"
          >
            <input
              type="checkbox"
              name="eventTypes"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={chosen.includes(name)}
              onChange={() => toggle(name)}
            />
            <span className="min-w-0">
              <span className="block truncate">{name}</span>
              {t.webhooks.meanings[name] && (
                <span className="block text-xs text-quiet">{t.webhooks.meanings[name]}</span>
              )}
            </span>
          </label>
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

interface AnotherProps {
  suggestions: readonly string[]
  onAdd: (name: string) => void
}

function Another({ suggestions, onAdd }: AnotherProps) {
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
