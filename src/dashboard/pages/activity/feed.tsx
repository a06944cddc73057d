// Everything that happens, newest first; new items appear by themselves while the reader is at the top.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Activity as Icon } from 'lucide-react'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { type Column, DataTable } from '../../ui/data-table'
import { inputClass } from '../../ui/field'
import { FilterSelect } from '../../ui/filter-select'
import { Empty, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { choices, type Filters, feedQuery, type Item, spans } from './data'

const route = getRouteApi('/inside/activity')

export function Activity() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(feedQuery(filters))
  return (
    <Page title={t.activity.title} description={t.activity.about}>
      <FilterBar filters={filters} />
      <DataTable
        label={t.activity.title}
        query={query}
        columns={columns()}
        rowKey={({ id, timestamp }) => `${id} ${timestamp}`}
        empty={
          <Empty icon={<Icon aria-hidden />} title={t.activity.empty}>
            {t.activity.emptyHint}
          </Empty>
        }
      />
    </Page>
  )
}

function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate()
  const change = (name: keyof Filters) => (value: string) =>
    void navigate({ to: '/activity', search: { ...filters, [name]: value || undefined }, replace: true })
  return (
    <div className="grid grid-cols-2 gap-2 md:flex">
      <FilterSelect
        label={t.activity.anyType}
        value={filters.types}
        options={choices.map(type => [type, t.activity.types[type]])}
        onChange={change('types')}
      />
      <select
        aria-label={t.words.period}
        className={`${inputClass} md:w-auto`}
        value={filters.days ?? '30'}
        onChange={event => change('days')(event.target.value)}
      >
        {spans.map(days => (
          <option key={days} value={days}>
            {t.messages.lastDays(Number(days))}
          </option>
        ))}
      </select>
    </div>
  )
}

const tones: Record<string, Tone> = {
  'email.delivered': 'good',
  'email.opened': 'accent',
  'email.clicked': 'accent',
  'email.bounced': 'bad',
  'email.complaint': 'bad',
  'contact.unsubscribed': 'warn',
  'contact.subscribed': 'good',
}

const columns = (): Column<Item>[] => [
  {
    id: 'type',
    header: t.words.what,
    cell: ({ type }) => <Badge tone={tones[type]}>{t.activity.types[type] ?? type}</Badge>,
  },
  { id: 'contact', header: t.words.who, beneath: 'about', cell: item => <Who item={item} /> },
  { id: 'about', header: t.activity.about_, grows: true, cell: item => <About item={item} /> },
  {
    id: 'at',
    header: t.words.when,
    align: 'right',
    beneath: 'about',
    cell: ({ timestamp }) => <Time at={timestamp} quiet />,
  },
]

function Who({ item: { contactId, contactEmail } }: { item: Item }) {
  if (!contactId || !contactEmail) return <span className="text-quiet">–</span>
  return (
    <Link
      to="/contacts/$id"
      params={{ id: contactId }}
      className="block max-w-56 truncate py-2 font-medium hover:underline"
    >
      {contactEmail}
    </Link>
  )
}

/** The message, the event or the workflow that it is about. */
function About({ item: { metadata } }: { item: Item }) {
  const { emailId, sourceEmailId, subject, sourceSubject, eventName, workflowName, link } =
    metadata as Record<string, unknown>
  const id = emailId ?? sourceEmailId
  const words = [subject ?? sourceSubject, link, workflowName].filter(Boolean).join(' · ')
  if (typeof id === 'string')
    return (
      <Link to="/messages/$id" params={{ id }} className="block truncate py-2 hover:underline">
        {words || t.activity.message}
      </Link>
    )
  if (typeof eventName === 'string')
    return (
      <Link to="/events/$name" params={{ name: eventName }} className="block truncate py-2 hover:underline">
        {eventName}
      </Link>
    )
  return <span>{words}</span>
}
