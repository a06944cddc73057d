// All contacts: searched by address and subscription, shown with chosen columns, and changed many at a time.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ListFilter, Users } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { FilterWords } from '../../editor/filter/result'
import { language, t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { FilterSelect } from '../../ui/filter-select'
import { Empty, Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { BulkBar } from './bulk'
import { ColumnChoice, useColumns } from './columns'
import { CreateContact } from './create'
import { bulkQueryOf, type Contact, contactsQuery, type Filters, fieldsQuery, statuses, treeOf } from './data'
import { ExportContacts } from './export'
import { FilterPanel } from './filter-panel'
import { Subscription } from './subscription'
import { shownValue } from './value'
import { Views } from './views'

const route = getRouteApi('/inside/contacts')

export function Contacts() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(contactsQuery(filters))
  const { data: fields = [] } = useQuery(fieldsQuery)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [names, setNames] = useColumns(fields)
  const clear = useCallback(() => setChosen(new Set()), [])
  const total = query.data?.pages[0]?.total
  const isFiltered = Boolean(filters.search || filters.status || filters.filter)
  const [builds, setBuilds] = useState(false)
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.data) ?? [], [query.data])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of columns come with the language.
  const columns = useMemo(() => columnsOf(names), [names, language()])
  return (
    <Page
      title={t.contacts.title}
      description={total === undefined ? undefined : t.contacts.total(total)}
      actions={
        <>
          <ExportContacts filters={filters} />
          <ButtonLink to="/contacts/import">{t.contacts.import}</ButtonLink>
          <CreateContact />
        </>
      }
    >
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
      <DataTable
        label={t.contacts.title}
        query={query}
        columns={columns}
        rowKey={contact => contact.id}
        selection={{ chosen, onChange: setChosen, label: t.words.choose }}
        empty={
          <Empty icon={<Users aria-hidden />} title={isFiltered ? t.contacts.nothing : t.contacts.empty}>
            {isFiltered ? t.contacts.nothingHint : t.contacts.emptyHint}
          </Empty>
        }
      />
    </Page>
  )
}

function columnsOf(names: readonly string[]): Column<Contact>[] {
  return [
    {
      id: 'email',
      header: t.words.address,
      cell: contact => <Address contact={contact} />,
      grows: true,
    },
    { id: 'state', header: t.words.subscription, cell: contact => <Subscription contact={contact} /> },
    ...names.map(
      (name): Column<Contact> => ({
        id: `data.${name}`,
        header: name,
        cell: contact => <span className="block max-w-48 truncate">{shownValue(contact.data[name])}</span>,
        wideOnly: true,
      }),
    ),
    {
      id: 'createdAt',
      header: t.contacts.columns.createdAt,
      cell: contact => <Time at={contact.createdAt} quiet />,
      align: 'right',
      wideOnly: true,
    },
  ]
}

function Address({ contact: { id, email } }: { contact: Contact }) {
  return (
    <Link to="/contacts/$id" params={{ id }} className="block truncate py-2 font-medium hover:underline">
      {email}
    </Link>
  )
}

function FilterBar({ filters, children }: { filters: Filters; children: React.ReactNode }) {
  const navigate = useNavigate()
  const change = (name: keyof Filters) => (value: string) =>
    void navigate({ to: '/contacts', search: { ...filters, [name]: value || undefined }, replace: true })
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,4fr)] gap-2 md:flex md:flex-wrap">
      <SearchField
        className="max-md:col-span-2 md:w-72"
        label={t.contacts.search}
        value={filters.search}
        onChange={change('search')}
      />
      <FilterSelect
        label={t.contacts.anyState}
        value={filters.status}
        options={statuses.map(status => [status, t.contacts.states[status]])}
        onChange={change('status')}
      />
      <FilterSelect
        label={t.contacts.order}
        any={t.contacts.newestFirst}
        value={filters.sort}
        options={[['email', t.contacts.byAddress]]}
        onChange={change('sort')}
      />
      <div className="flex flex-wrap gap-2 md:ml-auto max-md:col-span-2">{children}</div>
    </div>
  )
}
