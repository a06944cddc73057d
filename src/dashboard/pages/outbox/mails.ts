// What is in the outbox: the messages of the ledger, and beside them tests, invitations and mail of the instance, the newest first.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type OutboxKind = Schemas['OutboxMail']['kind']

export interface ListedMail {
  id: string
  to: string
  subject: string
  createdAt: string
  /** None for a message of the ledger. */
  kind?: OutboxKind
  /** Of a message of the ledger alone. */
  status?: string
}

export interface ShownMail extends ListedMail {
  from: string
  fromName: string | null
  body: string
  text: string
}

const refetchInterval = 5_000

/** Both lists as one: of those that are in no ledger, as many as are not older than what is shown of the other. */
export function useMails() {
  const query = useInfiniteQuery({
    queryKey: ['emails', 'outbox'],
    queryFn: ({ pageParam, signal }) =>
      answer(api.GET('/emails', { params: { query: { limit: 30, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => (page.hasMore ? (page.cursor ?? undefined) : undefined),
    refetchInterval,
  })
  const others = useQuery({
    queryKey: ['outbox'],
    queryFn: async ({ signal }) => (await answer(api.GET('/outbox', { signal }))).data,
    refetchInterval,
  })
  const ledger: ListedMail[] = query.data?.pages.flatMap(page => page.data) ?? []
  const oldest = query.hasNextPage ? ledger.at(-1)?.createdAt : undefined
  const beside = (others.data ?? []).filter(mail => oldest === undefined || mail.createdAt >= oldest)
  const mails = [...ledger, ...beside].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return { query, others, mails }
}

/** One mail, wherever it is kept. */
export async function fetchMail({ id, kind }: ListedMail, signal: AbortSignal): Promise<ShownMail> {
  const params = { path: { id } }
  if (kind !== undefined) return await answer(api.GET('/outbox/{id}', { params, signal }))
  return await answer(api.GET('/emails/{id}', { params, signal }))
}
