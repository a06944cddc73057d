// A page with a table of all things of a kind: filters that are kept in the address, and what is said while there are none or none matches.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ForWriters } from '../app/rights'
import { type Column, type CursorPage, DataTable, type Selection } from './data-table'
import { Empty, Page } from './page'

/** What is said of a list without rows: while there are none at all, or where filters leave nothing. */
interface NoRowsWords {
  empty: string
  emptyHint?: string
  nothing?: string
  nothingHint?: string
}

interface NoRowsProps {
  words: NoRowsWords
  icon: LucideIcon
  isFiltered?: boolean
}

export function NoRows({ words, icon: Icon, isFiltered }: NoRowsProps) {
  return (
    <Empty icon={<Icon aria-hidden />} title={isFiltered ? words.nothing : words.empty}>
      {isFiltered ? words.nothingHint : words.emptyHint}
    </Empty>
  )
}

interface ListPageProps<Row> extends NoRowsProps {
  words: NoRowsWords & { title: string }
  description?: ReactNode
  /** The button that makes one. */
  create?: ReactNode
  /** Buttons before it, for the rows that there are. */
  actions?: ReactNode
  filters?: ReactNode
  query: UseInfiniteQueryResult<InfiniteData<CursorPage<Row>>>
  columns: ReadonlyArray<Column<Row>>
  rowKey: (row: Row) => string
  /** Instead of what the words say while there are no rows. */
  empty?: ReactNode
  selection?: Selection
  children?: ReactNode
}

export function ListPage<Row>(props: ListPageProps<Row>) {
  const { words, description, actions, create, filters, empty, children, ...table } = props
  const { data, isError } = table.query
  // There is nothing to search.
  const isEmpty = !props.isFiltered && data?.pages.every(page => page.data.length === 0) === true
  const hasActions = !isEmpty && (data !== undefined || isError || props.isFiltered)
  // What makes one stays in its place, with or without rows: a button that moved would take the dialog with it that it has opened.
  const buttons = (
    <>
      {hasActions && actions}
      {create && <ForWriters>{create}</ForWriters>}
    </>
  )
  return (
    <Page title={words.title} description={description} actions={(actions || create) && buttons}>
      {!isEmpty && filters}
      <DataTable {...table} label={words.title} empty={empty || <NoRows {...props} />} />
      {children}
    </Page>
  )
}

interface FilterField {
  value: string | undefined
  onChange: (value: string) => void
}

/** For each filter of the page's address: its value, and a function that changes it, as `SearchField` and `FilterSelect` take them. */
export function useFilterFields<Filters extends object>(filters: Filters) {
  const navigate = useNavigate()
  return (name: keyof Filters & string): FilterField => ({
    value: filters[name] as string | undefined,
    onChange: value =>
      void navigate({ to: '.', search: { ...filters, [name]: value || undefined } as never, replace: true }),
  })
}
