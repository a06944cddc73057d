// Suppressed addresses: the reason for each, and removing them from the list.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { type Column, DataTable } from '../../ui/data-table'
import { ExportButton } from '../../ui/export-button'
import { FilterSelect } from '../../ui/filter-select'
import { Empty, Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { AddSuppressions } from './add'
import { type Filters, reasons, type Suppression, suppressionsQuery } from './data'

const route = getRouteApi('/inside/suppressions')

export function Suppressions() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(suppressionsQuery(filters))
  const [lifted, setLifted] = useState<string>()
  const isFiltered = Boolean(filters.search || filters.reason)
  return (
    <Page
      title={t.suppressions.title}
      description={t.suppressions.about}
      actions={
        <>
          <ExportButton load={() => api.GET('/suppressions/export', { parseAs: 'blob' })} />
          <AddSuppressions />
        </>
      }
    >
      <FilterBar filters={filters} />
      <DataTable
        label={t.suppressions.title}
        query={query}
        columns={columns(setLifted)}
        rowKey={({ email }) => email}
        empty={
          <Empty
            icon={<MailX aria-hidden />}
            title={isFiltered ? t.suppressions.nothing : t.suppressions.empty}
          >
            {isFiltered ? undefined : t.suppressions.emptyHint}
          </Empty>
        }
      />
      <Lift email={lifted} onClose={() => setLifted(undefined)} />
    </Page>
  )
}

function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate()
  const change = (name: keyof Filters) => (value: string) =>
    void navigate({ to: '/suppressions', search: { ...filters, [name]: value || undefined }, replace: true })
  return (
    <div className="grid gap-2 md:flex">
      <SearchField
        className="md:w-72"
        label={t.contacts.search}
        value={filters.search}
        onChange={change('search')}
      />
      <FilterSelect
        label={t.suppressions.anyReason}
        value={filters.reason}
        options={reasons.map(reason => [reason, t.suppressions.reasons[reason]])}
        onChange={change('reason')}
      />
    </div>
  )
}

const columns = (lift: (email: string) => void): Column<Suppression>[] => [
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
  {
    id: 'at',
    header: t.words.since,
    wideOnly: true,
    cell: ({ createdAt }) => <Time at={createdAt} quiet />,
  },
  {
    id: 'lift',
    header: <span className="sr-only">{t.suppressions.lift}</span>,
    align: 'right',
    cell: ({ email }) => (
      <Button look="quiet" onClick={() => lift(email)} aria-label={`${t.suppressions.lift}: ${email}`}>
        {t.suppressions.lift}
      </Button>
    ),
  },
]

function Lift({ email = '', onClose }: { email?: string; onClose: () => void }) {
  const queries = useQueryClient()
  const lift = async (): Promise<void> => {
    await answer(api.DELETE('/suppressions/{email}', { params: { path: { email } } }))
    toast(t.suppressions.lifted(email))
    void queries.invalidateQueries({ queryKey: ['suppressions'] })
  }
  return (
    <Confirm
      open={email !== ''}
      onClose={onClose}
      title={t.suppressions.liftTitle(email)}
      consequence={t.suppressions.liftHint}
      action={t.suppressions.liftTitle(email)}
      onConfirm={lift}
    />
  )
}
