// All contacts: searched by address and subscription, shown with chosen columns, and changed many at a time.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ListFilter, Users } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../api/client'
import { mayWrite, useProject } from '../../app/session'
import { FilterWords } from '../../editor/filter/result'
import { language, t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { type Column, timeColumn } from '../../ui/data-table'
import { ExportButton } from '../../ui/export-button'
import { FilterSelect } from '../../ui/filter-select'
import { ListPage, useFilterFields } from '../../ui/list-page'
import { RowLink } from '../../ui/row-link'
import { SearchField } from '../../ui/search-field'
import { BulkBar } from './bulk'
import { CreateContact } from './create'
import {
  bulkQueryOf,
  type Contact,
  contactsQuery,
  type Filters,
  fieldsQuery,
  statuses,
  treeOf,
  wordsOf,
} from './data'
import { Subscription } from './subscription'
import { contactName, labelOf, shownValue } from './value'
import { ColumnChoice, FilterPanel, useColumns, Views } from './views'

const route = getRouteApi('/inside/contacts')

export function Contacts() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(contactsQuery(filters))
  const fields = useQuery(fieldsQuery).data?.fields ?? []
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [names, setNames] = useColumns(fields)
  const canWrite = mayWrite(useProject())
  const clear = useCallback(() => setChosen(new Set()), [])
  const total = query.data?.pages[0]?.total
  const [builds, setBuilds] = useState(false)
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.data) ?? [], [query.data])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of columns come with the language.
  const columns = useMemo(() => columnsOf(names), [names, language()])
  return (
    <ListPage
      words={t.contacts}
      description={total ? t.contacts.total(total) : undefined}
      icon={Users}
      isFiltered={Boolean(filters.search || filters.status || filters.filter)}
      create={
        <>
          <ButtonLink to="/contacts/import">{t.contacts.import}</ButtonLink>
          <CreateContact />
        </>
      }
      actions={<ExportContacts filters={filters} />}
      filters={
        <div className="space-y-3">
          <FilterBar filters={filters}>
            <Button aria-expanded={builds} onClick={() => setBuilds(!builds)}>
              <ListFilter aria-hidden /> {t.contacts.filter}
              {filters.filter && <Badge tone="accent">{t.contacts.filterOn}</Badge>}
            </Button>
            <Views filters={filters} columns={names} onColumns={setNames} />
            <ColumnChoice fields={fields} chosen={names} onChange={setNames} />
          </FilterBar>
          {builds && <FilterPanel filters={filters} onClose={() => setBuilds(false)} />}
          {!builds && filters.filter && <FilterWords value={treeOf(filters)} />}
          {chosen.size > 0 && (
            <BulkBar
              chosen={rows.filter(({ id }) => chosen.has(id))}
              matches={total ?? 0}
              query={bulkQueryOf(filters)}
              onDone={clear}
            />
          )}
        </div>
      }
      query={query}
      columns={columns}
      rowKey={contact => contact.id}
      selection={canWrite ? { chosen, onChange: setChosen, label: t.words.choose } : undefined}
    />
  )
}

function ExportContacts({ filters }: { filters: Filters }) {
  const filter = treeOf(filters)
  return (
    <ExportButton
      load={() =>
        filter
          ? api.POST('/contacts/export', {
              body: { ...wordsOf(filters), searchNames: true, filter },
              parseAs: 'blob',
            })
          : api.GET('/contacts/export', {
              params: { query: { ...wordsOf(filters), searchNames: true } },
              parseAs: 'blob',
            })
      }
    />
  )
}

function columnsOf(names: readonly string[]): Column<Contact>[] {
  return [
    {
      id: 'email',
      header: t.contacts.columns.contact,
      cell: ({ id, email, data }) => {
        const name = contactName(data)
        return (
          <div className="min-w-0">
            <RowLink to="/contacts/$id" params={{ id }}>
              {name ?? email}
            </RowLink>
            {name && <span className="block truncate text-quiet">{email}</span>}
          </div>
        )
      },
      grows: true,
    },
    { id: 'state', header: t.words.subscription, cell: contact => <Subscription contact={contact} /> },
    ...names.map(
      (name): Column<Contact> => ({
        id: `data.${name}`,
        header: labelOf(name),
        cell: contact => <span className="block max-w-48 truncate">{shownValue(contact.data[name])}</span>,
        wideOnly: true,
      }),
    ),
    timeColumn(t.contacts.columns.createdAt, contact => contact.createdAt),
  ]
}

function FilterBar({ filters, children }: { filters: Filters; children: React.ReactNode }) {
  const field = useFilterFields(filters)
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,4fr)] gap-2 md:flex md:flex-wrap">
      <SearchField className="max-md:col-span-2 md:w-72" label={t.contacts.search} {...field('search')} />
      <FilterSelect
        label={t.contacts.anyState}
        options={statuses.map(status => [status, t.contacts.states[status]])}
        {...field('status')}
      />
      <FilterSelect
        label={t.contacts.order}
        any={t.contacts.newestFirst}
        options={[['email', t.contacts.byAddress]]}
        {...field('sort')}
      />
      <div className="flex flex-wrap gap-2 md:ml-auto max-md:col-span-2">{children}</div>
    </div>
  )
}
