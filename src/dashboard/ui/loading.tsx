// What is shown while something is loading: its outline, after a moment, so that quick answers do not flicker.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../texts'
import { classes } from './classes'
import { ErrorNote } from './error-note'
import { pageEdges } from './page'

/** A bar where text will be; give it a height and a width. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={classes('animate-pulse rounded-md bg-hover', className ?? 'h-4 w-full')} />
}

export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label={t.words.loading} className="space-y-3 py-2">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are all the same.
        <Skeleton key={line} className={classes('h-4', line % 3 === 2 ? 'w-2/3' : 'w-full')} />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
  /** Instead of lines. */
  outline?: ReactNode
  /** Nothing is around it that keeps a distance from the edges. */
  page?: boolean
}

/** Shows the result of a query; before that its outline, or else its error. */
export function Loaded<T>({ query, children, outline = <Loading />, page }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  const { error } = query
  const instead = error ? <ErrorNote error={error} onRetry={() => query.refetch()} /> : outline
  return page ? <div className={classes(pageEdges, 'max-w-6xl')}>{instead}</div> : instead
}
