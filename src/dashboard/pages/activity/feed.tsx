// Everything that happens, newest first; new items appear by themselves while the reader is at the top.

import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity as Icon } from 'lucide-react'
import type { Schemas } from '../../api/client'
import { cursorQuery, read } from '../../api/queries'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { type Column, timeColumn } from '../../ui/data-table'
import { Select } from '../../ui/field'
import { FilterSelect } from '../../ui/filter-select'
import { ListPage, useFilterFields } from '../../ui/list-page'

const route = getRouteApi('/inside/activity')

type Item = Schemas['Activity']

interface Filters {
  /** One of the API's types, or the part of them before the dot. */
  types?: string
  days?: string
}

const families: Record<string, string> = {
  email: 'email.sent,email.delivered,email.opened,email.clicked,email.bounced,email.complaint,email.received',
  contact: 'contact.subscribed,contact.unsubscribed',
  event: 'event.triggered',
  workflow: 'workflow.started,workflow.completed',
}

const choices = [
  ...['email', 'email.sent', 'email.delivered', 'email.opened', 'email.clicked', 'email.bounced'],
  ...['email.complaint', 'email.received', 'contact', 'event', 'workflow'],
]

const spans = ['1', '7', '30', '365']

const feedQuery = ({ types, days }: Filters) => ({
  ...cursorQuery(['activity', types, days], (cursor, signal) => {
    const startDate = days ? new Date(Date.now() - Number(days) * 86_400_000).toISOString() : undefined
    const query = { limit: 50, cursor, types: types && (families[types] ?? types), startDate }
    return read('/activity', { query }, signal)
  }),
  // Whoever has scrolled further down is reading, and what is read must not move.
  refetchInterval: ({ state }: { state: { data?: { pages: unknown[] } } }) =>
    (state.data?.pages.length ?? 1) > 1 ? (false as const) : 10_000,
})

export function Activity() {
  const filters: Filters = route.useSearch()
  const field = useFilterFields(filters)
  return (
    <ListPage
      words={t.activity}
      description={t.activity.about}
      icon={Icon}
      // By the period, always: what is older may be there.
      isFiltered
      filters={
        <div className="grid grid-cols-2 gap-2 md:flex">
          <FilterSelect
            label={t.activity.anyType}
            options={choices.map(type => [type, t.activity.types[type]])}
            {...field('types')}
          />
          <Select
            label={t.words.period}
            className="md:w-auto"
            options={spans.map(days => [days, t.messages.lastDays(Number(days))])}
            {...field('days')}
            value={filters.days ?? '30'}
          />
        </div>
      }
      query={useInfiniteQuery(feedQuery(filters))}
      columns={columns()}
      rowKey={({ id, timestamp }) => `${id} ${timestamp}`}
    />
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
  timeColumn(t.words.when, ({ timestamp }) => timestamp, { beneath: 'about' }),
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
