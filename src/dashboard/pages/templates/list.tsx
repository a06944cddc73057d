// All templates, as thumbnails.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { LayoutTemplate } from 'lucide-react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { ButtonLink } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { FilterSelect } from '../../ui/filter-select'
import { Loading } from '../../ui/loading'
import { Thumbnail } from '../../ui/mail/thumbnail'
import { MoreButton } from '../../ui/more-button'
import { Empty, Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { type Filters, type TemplateRow, templatesQuery, types } from './data'

const route = getRouteApi('/inside/templates')

export function Templates() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(templatesQuery(filters))
  const rows = query.data?.pages.flatMap(page => page.data) ?? []
  const total = query.data?.pages[0]?.total
  return (
    <Page
      title={t.templates.title}
      description={total === undefined ? undefined : t.templates.total(total)}
      actions={
        <ButtonLink to="/templates/new" look="strong">
          {t.templates.create}
        </ButtonLink>
      }
    >
      <FilterBar filters={filters} />
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Loading lines={8} />}
      {query.data && rows.length === 0 && <Nothing isFiltered={Boolean(filters.search || filters.type)} />}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {rows.map(template => (
          <Item key={template.id} template={template} />
        ))}
      </ul>
      <MoreButton query={query} />
    </Page>
  )
}

function Item({ template: { id, name, subject, body, type, updatedAt } }: { template: TemplateRow }) {
  return (
    <li className="relative min-w-0 overflow-hidden rounded-lg border border-line bg-sheet hover:border-edge">
      <Thumbnail html={body} title={subject} />
      <div className="space-y-1 border-t border-line px-4 py-3">
        <p className="flex items-center justify-between gap-3">
          <Link
            to="/templates/$id"
            params={{ id }}
            className="truncate font-semibold after:absolute after:inset-0"
          >
            {name}
          </Link>
          <Badge>{t.writing.types[type]}</Badge>
        </p>
        <p className="truncate text-quiet">{subject}</p>
        <p className="text-xs text-quiet">
          {t.words.updatedAt} <Time at={updatedAt} />
        </p>
      </div>
    </li>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty
      icon={<LayoutTemplate aria-hidden />}
      title={isFiltered ? t.templates.nothing : t.templates.empty}
      action={
        isFiltered ? undefined : (
          <ButtonLink to="/templates/new" look="strong">
            {t.templates.create}
          </ButtonLink>
        )
      }
    >
      {isFiltered ? t.templates.nothingHint : t.templates.emptyHint}
    </Empty>
  )
}

function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate()
  const change = (name: keyof Filters) => (value: string) =>
    void navigate({ to: '/templates', search: { ...filters, [name]: value || undefined }, replace: true })
  return (
    <div className="grid gap-2 md:flex">
      <SearchField
        className="md:w-72"
        label={t.words.searchByNameOrSubject}
        value={filters.search}
        onChange={change('search')}
      />
      <FilterSelect
        label={t.templates.anyType}
        value={filters.type}
        options={types.map(type => [type, t.writing.types[type]])}
        onChange={change('type')}
      />
    </div>
  )
}
