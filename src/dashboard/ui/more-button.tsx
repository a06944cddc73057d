// The end of the list loaded so far: a button for the next page, if there is one.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { t } from '../texts'
import { Button } from './button'

interface MoreButtonProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  className?: string
}

export function MoreButton({ query, className }: MoreButtonProps) {
  if (!query.hasNextPage) return null
  return (
    <Button className={className} busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
      {t.words.more}
    </Button>
  )
}
