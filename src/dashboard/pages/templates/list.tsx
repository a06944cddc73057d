// All templates, as thumbnails.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LayoutTemplate } from 'lucide-react'
import { ForWriters } from '../../app/rights'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { ButtonLink } from '../../ui/button'
import { FilterSelect } from '../../ui/filter-select'
import { NoRows, useFilterFields } from '../../ui/list-page'
import { Thumbnail } from '../../ui/mail/thumbnail'
import { Page } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { type Filters, type TemplateRow, templatesQuery, types } from './data'

const route = getRouteApi('/inside/templates')

export function Templates() {
  const filters: Filters = route.useSearch()
  const field = useFilterFields(filters)
  const query = useInfiniteQuery(templatesQuery(filters))
  const total = query.data?.pages[0]?.total
  const isFiltered = Boolean(filters.search || filters.type)
  const create = (
    <ButtonLink to="/templates/new" variant="strong">
      {t.templates.create}
    </ButtonLink>
  )
  return (
    <Page
      title={t.templates.title}
      description={total === undefined ? undefined : t.templates.total(total)}
      actions={
        <>
          <ButtonLink to="/settings/brand">{t.brand.title}</ButtonLink>
          <ForWriters>{create}</ForWriters>
        </>
      }
    >
      <div className="grid gap-2 md:flex">
        <SearchField className="md:w-72" label={t.words.searchByNameOrSubject} {...field('search')} />
        <FilterSelect
          label={t.templates.anyType}
          options={types.map(type => [type, t.writing.types[type]])}
          {...field('type')}
        />
      </div>
      <RowList
        query={query}
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
        lines={8}
        empty={<NoRows words={t.templates} icon={LayoutTemplate} isFiltered={isFiltered} />}
      >
        {template => <Item key={template.id} template={template} />}
      </RowList>
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
