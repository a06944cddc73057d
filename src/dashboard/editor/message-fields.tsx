// Name, subject, sender and type of a message. To be used inside a Form, whose faults they show.
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { domainsQuery } from '../api/domains'
import { useProject } from '../app/session'
import { t } from '../texts'
import { SelectField, TextField } from '../ui/field'
import { Card } from '../ui/page'
import { layoutsQuery } from './data'
import type { MessageType, Writing } from './writing'

interface MessageFieldsProps {
  value: Writing
  onChange: (value: Writing) => void
}

const types = ['MARKETING', 'TRANSACTIONAL', 'HEADLESS'] as const satisfies MessageType[]

export function MessageFields({ value, onChange }: MessageFieldsProps) {
  const field = (name: 'name' | 'subject' | 'from' | 'fromName' | 'replyTo') => ({
    name,
    label: name === 'name' ? t.words.name : t.writing[name],
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
          label={t.words.kind}
          hint={t.writing.typeHints[value.type]}
          value={value.type}
          options={types.map(type => [type, t.writing.types[type]])}
          onChange={event => onChange({ ...value, type: event.target.value as MessageType })}
        />
        <LayoutChoice value={value.layoutId} onChange={layoutId => onChange({ ...value, layoutId })} />
      </div>
    </Card>
  )
}

/** If there are no layouts to choose from, it says where they are made. */
function LayoutChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data: layouts } = useQuery(layoutsQuery)
  const isKnown = !value || layouts?.some(({ id }) => id === value)
  return (
    <SelectField
      name="layoutId"
      label={t.writing.layout}
      hint={layouts?.length === 0 ? t.writing.layoutsMissing : t.writing.layoutHint}
      value={value}
      options={layouts?.map(({ id, name }) => [id, name])}
      onChange={event => onChange(event.target.value)}
    >
      <option value="">{t.writing.noLayout}</option>
      {!isKnown && <option value={value}>{t.writing.unknownLayout}</option>}
    </SelectField>
  )
}

/** Any address; those of domains that may send are suggested. */
function Sender(props: ComponentProps<typeof TextField>) {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const suggestions = domains.map(({ domain }) => `hello@${domain}`)
  return <TextField {...props} type="email" required suggestions={suggestions} />
}
