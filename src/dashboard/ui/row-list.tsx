// The rows of a list that is not a table: loading, its error, nothing, or the rows with a button for more of them.
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNote } from './error-note'
import { Loading } from './loading'
import { MoreButton } from './more-button'

/** Rows in a card, with a line between them. */
export const rowsClass = '-my-3 divide-y divide-line'

type Pages<Row> = InfiniteData<{ data: Row[] }>

interface RowListProps<Row> {
  query: UseQueryResult<Row[]> | UseInfiniteQueryResult<Pages<Row>>
  /** Draws a row, as an <li> with a key. */
  children: (row: Row) => ReactNode
  /** What to show instead of no rows; a text is said quietly. */
  empty: ReactNode
  className?: string
  /** `ol` where the order says something, such as when each happened. */
  as?: 'ul' | 'ol'
  /** Around the list, where there is one. */
  frame?: (list: ReactNode) => ReactNode
  lines?: number
  moreClass?: string
}

export function RowList<Row>(props: RowListProps<Row>) {
  const { query, children, empty, className = rowsClass, as: List = 'ul', frame, lines, moreClass } = props
  const rows = rowsOf(query)
  const isPaged = 'fetchNextPage' in query
  const list = <List className={className}>{rows?.map(children)}</List>
  const none = typeof empty === 'string' ? <p className="text-quiet">{empty}</p> : empty
  return (
    <>
      {query.error && (isPaged || !rows) && (
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading lines={lines} />}
      {rows && (rows.length === 0 ? none : frame ? frame(list) : list)}
      {isPaged && <MoreButton query={query} className={moreClass} />}
    </>
  )
}

function rowsOf<Row>({ data }: RowListProps<Row>['query']): Row[] | undefined {
  return data && 'pages' in data ? data.pages.flatMap(page => page.data) : data
}
