// The ledger: searched by recipient, subject, what sent the message, when, and what went wrong.

import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Mails } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { Schemas } from '../../api/client'
import { language, t } from '../../texts'
import { Button } from '../../ui/button'
import { type Column, timeColumn } from '../../ui/data-table'
import { formatDate } from '../../ui/format'
import { ListPage } from '../../ui/list-page'
import { Empty } from '../../ui/page'
import { type Filters, type Mail, messagesQuery } from './data'
import { FilterBar } from './filters'
import { MailStatus } from './timeline'

const route = getRouteApi('/inside/messages')

const columns = (): Column<Mail>[] => [
  { id: 'status', header: t.words.status, cell: mail => <MailStatus mail={mail} /> },
  { id: 'to', header: t.messages.searchTo, cell: mail => <Recipient mail={mail} /> },
  {
    id: 'subject',
    header: t.words.subject,
    cell: mail => mail.subject,
    grows: true,
    beneath: 'to',
  },
  {
    id: 'source',
    header: t.words.sentBy,
    cell: mail => <span className="text-quiet">{t.messages.sources[mail.sourceType]}</span>,
    wideOnly: true,
  },
  timeColumn(t.words.when, mail => mail.createdAt, { beneath: 'to' }),
]

export function Messages() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(messagesQuery(filters))
  const { searchedTo, searchOn } = useSearchOn(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of columns come with the language.
  const shown = useMemo(columns, [language()])
  return (
    <ListPage
      words={t.messages}
      description={t.messages.hint}
      icon={Mails}
      isFiltered={Object.values(filters).some(Boolean)}
      filters={<FilterBar filters={filters} />}
      query={query}
      columns={shown}
      rowKey={mail => mail.id}
      empty={
        searchedTo && (
          <Empty
            title={t.messages.nothingSince(formatDate(searchedTo))}
            action={
              <Button busy={query.isFetchingNextPage} onClick={searchOn}>
                {t.messages.searchOn}
              </Button>
            }
          >
            {t.messages.nothingSinceHint}
          </Empty>
        )
      }
    />
  )
}

function Recipient({ mail }: { mail: Mail }) {
  return (
    <Link
      to="/messages/$id"
      params={{ id: mail.id }}
      className="block truncate py-2 font-medium hover:underline md:w-64"
    >
      {mail.to}
    </Link>
  )
}

/** How many pages a search requests by itself while it finds nothing. */
const maxUnasked = 10

function useSearchOn(query: UseInfiniteQueryResult<InfiniteData<Schemas['EmailCursorPage']>>) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const pages = data?.pages ?? []
  const isEmpty = pages.every(page => page.data.length === 0)
  const goesOn = isEmpty && hasNextPage && pages.length > 0
  useEffect(() => {
    if (goesOn && !isFetchingNextPage && pages.length < maxUnasked) void fetchNextPage()
  }, [goesOn, isFetchingNextPage, pages.length, fetchNextPage])
  return { searchedTo: goesOn ? pages.at(-1)?.searchedTo : undefined, searchOn: () => void fetchNextPage() }
}
