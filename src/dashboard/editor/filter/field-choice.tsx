// What a condition is about: a field of the contact, its messages, an event, a topic or a segment. Names that nobody has used yet can be typed.
import { useState } from 'react'
import { t } from '../../texts'
import { inputClass } from '../../ui/field'
import { activities, standardFields } from './operators'
import type { Vocabulary } from './vocabulary'
import { nameOfField } from './words'

interface FieldChoiceProps {
  field: string
  vocabulary: Vocabulary
  onChange: (field: string) => void
}

type Family = 'data.' | 'event.'
const other = '+'

export function FieldChoice({ field, vocabulary, onChange }: FieldChoiceProps) {
  const [naming, setNaming] = useState<Family>()
  if (naming) {
    const done = (name: string): void => {
      setNaming(undefined)
      if (name.trim() !== '') onChange(naming + name.trim())
    }
    return <NewName family={naming} onDone={done} />
  }
  const choose = (value: string): void => {
    if (value.startsWith(other)) setNaming(value.slice(other.length) as Family)
    else onChange(value)
  }
  const families = familiesOf(vocabulary)
  const isListed = field === '' || families.some(({ fields }) => fields.includes(field))
  return (
    <select
      aria-label={t.filter.field}
      className={inputClass}
      value={field}
      onChange={event => choose(event.target.value)}
    >
      <option value="" disabled>
        {t.filter.chooseField}
      </option>
      {!isListed && <option value={field}>{nameOfField(field, vocabulary)}</option>}
      {families.map(({ label, fields, more }) => (
        <optgroup key={label} label={label}>
          {fields.map(each => (
            <option key={each} value={each}>
              {nameOfField(each, vocabulary)}
            </option>
          ))}
          {more && <option value={other + more.family}>{more.label}</option>}
        </optgroup>
      ))}
    </select>
  )
}

interface FieldFamily {
  label: string
  fields: string[]
  more?: { family: Family; label: string }
}

function familiesOf({ types, events, segments, topics, campaigns }: Vocabulary): FieldFamily[] {
  const { families } = t.filter
  const all: FieldFamily[] = [
    { label: families.contact, fields: [...standardFields] },
    {
      label: families.data,
      fields: [...types.keys()],
      more: { family: 'data.', label: t.filter.otherField },
    },
    { label: families.email, fields: activities.map(name => `email.${name}`) },
    {
      label: families.event,
      fields: events.map(name => `event.${name}`),
      more: { family: 'event.', label: t.filter.otherEvent },
    },
    { label: families.topic, fields: topics.map(({ id }) => `topic.${id}`) },
    { label: families.campaign, fields: campaigns.map(({ id }) => `campaign.${id}`) },
    { label: families.segment, fields: segments.map(({ id }) => `segment.${id}`) },
  ]
  return all.filter(({ fields, more }) => fields.length > 0 || more)
}

function NewName({ family, onDone }: { family: Family; onDone: (name: string) => void }) {
  const label = family === 'data.' ? t.filter.fieldName : t.workflows.eventName
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the list that was just used.
      autoFocus
      aria-label={label}
      placeholder={label}
      maxLength={255}
      className={inputClass}
      onBlur={event => onDone(event.target.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onDone(event.currentTarget.value)
      }}
    />
  )
}
