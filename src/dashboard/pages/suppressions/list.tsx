// Suppressed addresses: the reason for each, adding addresses, and removing them from the list.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read } from '../../api/queries'
import { mayWrite, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { type Column, timeColumn } from '../../ui/data-table'
import { ExportButton } from '../../ui/export-button'
import { FilterSelect } from '../../ui/filter-select'
import { ListPage, useFilterFields } from '../../ui/list-page'
import { SearchField } from '../../ui/search-field'
import { toast } from '../../ui/toast'
import { AddSuppressions } from './add'

const route = getRouteApi('/inside/suppressions')
const reasons = ['bounce', 'complaint', 'manual', 'repeated'] as const

interface Filters {
  search?: string
  reason?: string
}

const suppressionsQuery = ({ search, reason }: Filters) =>
  cursorQuery(['suppressions', search, reason], (cursor, signal) => {
    const known = reasons.find(each => each === reason)
    return read('/suppressions', { query: { limit: 100, cursor, search, reason: known } }, signal)
  })

export function Suppressions() {
  const filters: Filters = route.useSearch()
  const field = useFilterFields(filters)
  const query = useInfiniteQuery(suppressionsQuery(filters))
  const canWrite = mayWrite(useProject())
  const [lifted, setLifted] = useState<string>()
  return (
    <ListPage
      words={t.suppressions}
      description={t.suppressions.about}
      icon={MailX}
      isFiltered={Boolean(filters.search || filters.reason)}
      create={<AddSuppressions />}
      actions={<ExportButton load={() => api.GET('/suppressions/export', { parseAs: 'blob' })} />}
      filters={
        <div className="grid gap-2 md:flex">
          <SearchField className="md:w-72" label={t.contacts.search} {...field('search')} />
          <FilterSelect
            label={t.suppressions.anyReason}
            options={reasons.map(reason => [reason, t.suppressions.reasons[reason]])}
            {...field('reason')}
          />
        </div>
      }
      query={query}
      columns={columns(setLifted).filter(({ id }) => canWrite || id !== 'lift')}
      rowKey={({ email }) => email}
    >
      <Lift email={lifted} onClose={() => setLifted(undefined)} />
    </ListPage>
  )
}

const columns = (lift: (email: string) => void): Column<Schemas['Suppression']>[] => [
  {
    id: 'email',
    header: t.words.address,
    cell: ({ email }) => (
      <span className="block max-w-72 truncate font-medium" title={email}>
        {email}
      </span>
    ),
  },
  {
    id: 'reason',
    header: t.words.reason,
    beneath: 'email',
    cell: ({ reason }) => (
      <Badge tone={reason === 'manual' ? 'neutral' : reason === 'complaint' ? 'bad' : 'warn'}>
        {t.suppressions.reasons[reason]}
      </Badge>
    ),
  },
  {
    id: 'source',
    header: t.suppressions.source,
    grows: true,
    beneath: 'email',
    cell: ({ source, emailId }) =>
      emailId ? (
        <Link to="/messages/$id" params={{ id: emailId }} className="text-quiet hover:underline">
          {source}
        </Link>
      ) : (
        <span className="text-quiet">{source}</span>
      ),
  },
  timeColumn(t.words.since, ({ createdAt }) => createdAt, { wideOnly: true, align: undefined }),
  {
    id: 'lift',
    header: <span className="sr-only">{t.suppressions.lift}</span>,
    align: 'right',
    cell: ({ email }) => (
      <Button variant="quiet" onClick={() => lift(email)} aria-label={`${t.suppressions.lift}: ${email}`}>
        {t.suppressions.lift}
      </Button>
    ),
  },
]

function Lift({ email = '', onClose }: { email?: string; onClose: () => void }) {
  const lift = async (): Promise<void> => {
    await answer(api.DELETE('/suppressions/{email}', { params: { path: { email } } }))
    toast(t.suppressions.lifted(email))
    void refresh('suppressions')
  }
  return (
    <Confirm
      open={email !== ''}
      onClose={onClose}
      title={t.suppressions.liftTitle(email)}
      consequence={t.suppressions.liftHint}
      onConfirm={lift}
    />
  )
}
