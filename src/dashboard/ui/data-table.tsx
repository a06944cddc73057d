// A table over a list that comes in pages by cursor. Only the rows in sight are in the document, so it stays quick however long it gets;
// the next page is requested before its end is reached.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { classes } from './classes'
import { ErrorNote } from './error-note'
import { Loading, Skeleton } from './loading'
import { Time } from './time'
import { useIsNarrow } from './use-media'

export interface Column<Row> {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Numbers are aligned to the right. */
  align?: 'right'
  /** Left out on narrow screens. */
  wideOnly?: boolean
  /** On narrow screens it is shown beneath the column with this id, in small letters. */
  beneath?: string
  /** Takes the remaining width; set this for one column. */
  grows?: boolean
}

/** When something happened: at the end of a row, and on wide screens alone unless something else is said. */
export function timeColumn<Row>(
  header: ReactNode,
  at: (row: Row) => string | null | undefined,
  column: Partial<Column<Row>> = { wideOnly: true },
): Column<Row> {
  return { id: 'at', header, cell: row => <Time at={at(row)} quiet />, align: 'right', ...column }
}

export interface CursorPage<Row> {
  data: Row[]
  cursor?: string | null
  hasMore?: boolean
}

interface DataTableProps<Row> {
  /** Read aloud. */
  label: string
  query: UseInfiniteQueryResult<InfiniteData<CursorPage<Row>>>
  columns: ReadonlyArray<Column<Row>>
  rowKey: (row: Row) => string
  /** What to show instead of no rows. */
  empty: ReactNode
  selection?: Selection
}

export interface Selection {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** Label of a row's checkbox. */
  label: string
}

const rowHeight = 46
/** For rows with a second line. */
const tallRowHeight = 58
/** How many rows beyond either edge are also drawn: most of a screen, as new ones are drawn a frame after they come into sight. */
const overscan = 16

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, empty, columns } = props
  const isNarrow = useIsNarrow()
  const height = isNarrow && columns.some(column => column.beneath) ? tallRowHeight : rowHeight
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.data) ?? [], [query.data])
  if (query.error && rows.length === 0)
    return <ErrorNote error={query.error} onRetry={() => query.refetch()} />
  if (query.isPending) return <Loading lines={8} />
  return rows.length === 0 ? empty : <Rows key={height} {...props} rows={rows} height={height} />
}

function Rows<Row>({ rows, height, ...props }: DataTableProps<Row> & { rows: Row[]; height: number }) {
  const { query, columns, rowKey, selection, label } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + scrollY), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan,
    // Drawing rows in the scroll event would be one long task together with the layout that follows.
    useFlushSync: false,
    scrollMargin: top,
    getItemKey: useKeys(rows, rowKey),
  })
  const choose = useChoosing(selection)
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  // More rows may come into sight before it is known that their page is on its way: requested again, it would start anew.
  const isAsked = useRef(false)
  useEffect(() => {
    if (isFetchingNextPage) isAsked.current = false
    else if (last >= rows.length - 20 && hasNextPage && !isAsked.current) {
      isAsked.current = true
      void fetchNextPage().finally(() => {
        isAsked.current = false
      })
    }
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  const before = (shown[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  const width = columns.length + (selection ? 1 : 0)
  return (
    <div className="relative overflow-x-auto rounded-lg border border-line bg-sheet">
      <table
        aria-label={label}
        aria-rowcount={hasNextPage ? -1 : rows.length}
        className="w-full tabular-nums"
      >
        <Head columns={columns} selection={selection} rows={rows} rowKey={rowKey} />
        <tbody ref={body}>
          <Spacer height={before} width={width} />
          {shown.map(({ index }) => {
            const id = rowKey(rows[index]!)
            return (
              <TableRow
                key={id}
                id={id}
                row={rows[index]!}
                index={index}
                height={height}
                columns={columns}
                chosen={selection?.chosen.has(id)}
                choice={selection?.label}
                onChoose={choose}
              />
            )
          })}
          <Spacer height={after} width={width} />
          {isFetchingNextPage && (
            <tr>
              <td colSpan={width} className="p-4">
                <Skeleton />
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** The virtualizer looks at all rows again when this is a new function: so it changes only when the rows do. */
function useKeys<Row>(rows: Row[], rowKey: (row: Row) => string): (index: number) => string {
  const latest = useRef(rowKey)
  latest.current = rowKey
  return useCallback((index: number) => latest.current(rows[index]!), [rows])
}

type Choose = (id: string, isChosen: boolean) => void

/** Stays the same function; otherwise every choice would redraw every row. */
function useChoosing(selection: Selection | undefined): Choose {
  const latest = useRef(selection)
  latest.current = selection
  return useCallback((id, isChosen) => {
    const next = new Set(latest.current?.chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    latest.current?.onChange(next)
  }, [])
}

interface TableRowProps<Row> {
  id: string
  row: Row
  index: number
  height: number
  columns: ReadonlyArray<Column<Row>>
  /** Undefined where rows can't be chosen. */
  chosen: boolean | undefined
  choice: string | undefined
  onChoose: Choose
}

/** Drawn once, not with every step of scrolling. */
const TableRow = memo(PlainRow) as typeof PlainRow

function PlainRow<Row>({ id, row, index, height, columns, chosen, choice, onChoose }: TableRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} className="border-t border-line hover:bg-hover">
      {chosen !== undefined && (
        <td className="w-10 pl-4">
          <input
            type="checkbox"
            aria-label={choice}
            className="block size-4 accent-accent"
            checked={chosen}
            onChange={event => onChoose(id, event.target.checked)}
          />
        </td>
      )}
      {columns.map(column => (
        <td key={column.id} className={cellClass(column, columns)} style={{ height }}>
          {column.cell(row)}
          <Beneath id={column.id} columns={columns} row={row} />
        </td>
      ))}
    </tr>
  )
}

function cellClass<Row>(column: Column<Row>, columns: ReadonlyArray<Column<Row>>): string {
  const { id, align, wideOnly, beneath, grows } = column
  return classes(
    'px-4 whitespace-nowrap',
    align === 'right' ? 'text-right' : 'text-left',
    (wideOnly || beneath) && 'max-md:hidden',
    grows && 'w-full max-w-0 truncate',
    columns.some(other => other.beneath === id)
      ? 'max-md:w-full max-md:min-w-28 max-md:max-w-0 max-md:[&>a]:py-0.5'
      : grows && 'max-md:min-w-40',
  )
}

interface BeneathProps<Row> {
  id: string
  columns: ReadonlyArray<Column<Row>>
  row: Row
}

/** What is shown beneath a column on narrow screens. */
function Beneath<Row>({ id, columns, row }: BeneathProps<Row>) {
  const lower = columns.filter(column => column.beneath === id)
  if (lower.length === 0) return null
  return (
    <div className="flex items-center gap-2 text-xs text-quiet md:hidden [&_a]:py-0 [&_a]:font-normal">
      {lower.map(column => (
        <span
          key={column.id}
          className="min-w-0 truncate has-[time]:ml-auto has-[time]:shrink-0 has-[.rounded-full]:shrink-0"
        >
          {column.cell(row)}
        </span>
      ))}
    </div>
  )
}

/** Space for the rows that are not in the document. */
function Spacer({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={width} style={{ height }} />
    </tr>
  )
}

interface HeadProps<Row> {
  columns: ReadonlyArray<Column<Row>>
  selection?: Selection
  rows: Row[]
  rowKey: (row: Row) => string
}

function Head<Row>({ columns, selection, rows, rowKey }: HeadProps<Row>) {
  // Drawn with every step of scrolling: the rows are only checked if all of them could be chosen.
  const isWhole = (chosen: ReadonlySet<string>) =>
    chosen.size >= rows.length && rows.every(row => chosen.has(rowKey(row)))
  return (
    <thead className="text-xs text-quiet">
      <tr>
        {selection && (
          <th className="w-10 pl-4 text-left">
            <input
              type="checkbox"
              aria-label={selection.label}
              className="block size-4 accent-accent"
              checked={isWhole(selection.chosen)}
              onChange={event => selection.onChange(new Set(event.target.checked ? rows.map(rowKey) : []))}
            />
          </th>
        )}
        {columns.map(column => (
          <th key={column.id} scope="col" className={classes(cellClass(column, columns), 'h-9 font-medium')}>
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  )
}
