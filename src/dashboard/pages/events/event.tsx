// One event name: over time, who uses it, and the newest events.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read, readQuery } from '../../api/queries'
import { ForWriters } from '../../app/rights'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { ConfirmButton } from '../../ui/confirm'
import { type Column, DataTable, timeColumn } from '../../ui/data-table'
import { Fact } from '../../ui/fact'
import { formatNumber } from '../../ui/format'
import { Loaded, Skeleton } from '../../ui/loading'
import { Card, Empty, Page } from '../../ui/page'
import { toast } from '../../ui/toast'

const Chart = lazy(() => import('../../ui/chart'))
const route = getRouteApi('/inside/events/$name')

const seriesDays = 30

const seriesQuery = (eventName: string) => {
  const params = { path: { eventName }, query: { days: seriesDays * 2 } }
  return readQuery(['events', 'series', eventName], '/events/{eventName}/series', params)
}

const usageQuery = (eventName: string) =>
  readQuery(['events', 'usage', eventName], '/events/{eventName}/usage', { path: { eventName } })

const eventsQuery = (eventName: string) =>
  cursorQuery(['events', 'list', eventName], (cursor, signal) =>
    read('/events', { query: { eventName, limit: 50, cursor } }, signal),
  )

export function EventPage() {
  const { name } = route.useParams()
  const list = useInfiniteQuery(eventsQuery(name))
  return (
    <Page
      title={name}
      above={<BackLink to="/events">{t.events.title}</BackLink>}
      actions={
        <ForWriters>
          <Delete name={name} />
        </ForWriters>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Series name={name} />
        <Usage name={name} />
      </div>
      <DataTable
        label={t.events.newest}
        query={list}
        columns={columns()}
        rowKey={({ id }) => id}
        empty={<Empty title={t.events.none} />}
      />
    </Page>
  )
}

type Data = Schemas['EventWithContact']

function Series({ name }: { name: string }) {
  const query = useQuery(seriesQuery(name))
  return (
    <Card>
      <Loaded query={query} outline={<Skeleton className="h-64 w-full" />}>
        {points => <Lines points={points} />}
      </Loaded>
    </Card>
  )
}

function Lines({ points }: { points: Array<{ date: string; count: number }> }) {
  const { at, series } = useMemo(() => {
    const now = points.slice(-seriesDays)
    const before = points.slice(-2 * seriesDays, -seriesDays)
    return {
      at: now.map(({ date }) => Date.parse(date)),
      series: [
        { label: t.events.inSpan(seriesDays), color: 'accent', values: now.map(({ count }) => count) },
        { label: t.words.daysBefore, color: 'quiet', values: before.map(({ count }) => count), faint: true },
      ],
    }
  }, [points])
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <Chart label={t.events.chart} at={at} series={series} height={200} />
    </Suspense>
  )
}

function Usage({ name }: { name: string }) {
  const query = useQuery(usageQuery(name))
  return (
    <Card title={t.events.usage}>
      <Loaded query={query}>
        {({ totalCount, uniqueContacts, usedInSegments, usedInWorkflows }) => (
          <dl className="space-y-3">
            <Fact name={t.events.count}>{formatNumber(totalCount)}</Fact>
            <Fact name={t.contacts.title}>{formatNumber(uniqueContacts)}</Fact>
            <Fact name={t.segments.title}>{namesOf(usedInSegments)}</Fact>
            <Fact name={t.workflows.title}>{namesOf(usedInWorkflows)}</Fact>
          </dl>
        )}
      </Loaded>
    </Card>
  )
}

const namesOf = (users: Array<{ name: string }>): string =>
  users.map(({ name }) => name).join(', ') || t.words.none

const columns = (): Column<Data>[] => [
  {
    id: 'contact',
    header: t.words.contact,
    cell: ({ contact, contactId }) =>
      contact && contactId ? (
        <Link
          to="/contacts/$id"
          params={{ id: contactId }}
          className="block max-w-60 truncate py-2 font-medium hover:underline max-md:max-w-40"
        >
          {contact.email}
        </Link>
      ) : (
        <span className="text-quiet">{t.segments.goneContact}</span>
      ),
  },
  {
    id: 'data',
    header: t.words.data,
    grows: true,
    cell: ({ data }) => <span className="text-quiet">{gist(data)}</span>,
  },
  timeColumn(t.words.when, ({ createdAt }) => createdAt),
]

function gist(data: Data['data']): string {
  const pairs = Object.entries(data ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  )
  return pairs.join(' · ') || '–'
}

function Delete({ name }: { name: string }) {
  const { data } = useQuery(usageQuery(name))
  const navigate = useNavigate()
  if (!data?.canDelete) return null
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/events/{eventName}', { params: { path: { eventName: name } } }))
    toast(t.words.deleted(name))
    await navigate({ to: '/events' })
  }
  return (
    <ConfirmButton
      variant="danger"
      label={t.words.delete}
      title={t.words.deleteTitle(name)}
      consequence={t.events.deleteHint(data.totalCount)}
      word={name}
      onConfirm={remove}
    />
  )
}
