// What is in the outbox: the messages of the ledger, and beside them tests, invitations and mail of the instance, the newest first.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery } from '../../api/queries'

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

const emailsQuery = cursorQuery(['emails', 'outbox'], (cursor, signal) =>
  read('/emails', { query: { limit: 30, cursor } }, signal),
)

/** Both lists as one: of those that are in no ledger, as many as are not older than what is shown of the other. */
export function useMails() {
  const query = useInfiniteQuery({ ...emailsQuery, refetchInterval })
  const others = useQuery(readQuery(['outbox'], '/outbox', {}, { refetchInterval }))
  const ledger: ListedMail[] = query.data?.pages.flatMap(page => page.data) ?? []
  const oldest = query.hasNextPage ? ledger.at(-1)?.createdAt : undefined
  const beside = (others.data?.data ?? []).filter(mail => oldest === undefined || mail.createdAt >= oldest)
  const mails = [...ledger, ...beside].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return { query, others, mails }
}

/** One mail, wherever it is kept. */
export async function fetchMail({ id, kind }: ListedMail, signal: AbortSignal): Promise<ShownMail> {
  const params = { path: { id } }
  if (kind !== undefined) return await read('/outbox/{id}', params, signal)
  return await read('/emails/{id}', params, signal)
}
