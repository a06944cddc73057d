// Name, subject, sender and kind of a message. Inside a Form, whose faults they show.
import { useQuery } from '@tanstack/react-query'
import { domainsQuery } from '../api/domains'
import { useProject } from '../app/session'
import { t } from '../texts'
import { SelectField, TextField } from '../ui/field'
import { Card } from '../ui/page'
import type { MessageType, Writing } from './writing'

interface MessageFieldsProps {
  value: Writing
  onChange: (value: Writing) => void
}

const types = ['MARKETING', 'TRANSACTIONAL', 'HEADLESS'] as const satisfies MessageType[]

export function MessageFields({ value, onChange }: MessageFieldsProps) {
  const field = (name: 'name' | 'subject' | 'from' | 'fromName' | 'replyTo') => ({
    name,
    label: t.writing[name],
    value: value[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...value, [name]: event.target.value }),
  })
  return (
    <Card>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField {...field('name')} required maxLength={100} />
        <TextField {...field('subject')} required maxLength={998} />
        <Sender {...field('from')} />
        <TextField {...field('fromName')} optional maxLength={100} />
        <TextField {...field('replyTo')} type="email" optional />
        <SelectField
          name="type"
          label={t.writing.type}
          hint={t.writing.typeHints[value.type]}
          value={value.type}
          onChange={event => onChange({ ...value, type: event.target.value as MessageType })}
        >
          {types.map(type => (
            <option key={type} value={type}>
              {t.writing.types[type]}
            </option>
          ))}
        </SelectField>
      </div>
    </Card>
  )
}

interface SenderProps {
  name: string
  label: string
  value: string
  onChange: (event: { target: { value: string } }) => void
}

/** Any address; those of domains that may send are offered. */
function Sender(props: SenderProps) {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  return (
    <>
      <TextField {...props} type="email" required list="sender-addresses" />
      <datalist id="sender-addresses">
        {domains.map(({ domain }) => (
          <option key={domain} value={`hello@${domain}`} />
        ))}
      </datalist>
    </>
  )
}
