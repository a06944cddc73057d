// Which topic a mail is about. Nothing where the project has none to offer.
import { useQuery } from '@tanstack/react-query'
import { topicsQuery } from '../api/topics'
import { t } from '../texts'
import { SelectField } from '../ui/field'

interface TopicFieldProps {
  name: string
  value: string | null
  onChange: (id: string | null) => void
  className?: string
}

export function TopicField({ name, value, onChange, className }: TopicFieldProps) {
  const { data: topics = [] } = useQuery(topicsQuery)
  const offered = topics.filter(({ id, archived }) => !archived || id === value)
  if (offered.length === 0) return null
  return (
    <SelectField
      name={name}
      label={t.topics.one}
      hint={value ? t.topics.chosenHint : t.topics.noneHint}
      className={className}
      value={value ?? ''}
      options={[['', t.topics.none], ...offered.map(({ id, name: label }) => [id, label] as const)]}
      onChange={event => onChange(event.target.value || null)}
    />
  )
}
