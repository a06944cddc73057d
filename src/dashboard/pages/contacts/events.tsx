// What a contact did and what happened to it, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { MoreButton } from '../../ui/more-button'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { contactEventsQuery } from './data'

export function Events({ contactId }: { contactId: string }) {
  const query = useInfiniteQuery(contactEventsQuery(contactId))
  const events = query.data?.pages.flatMap(page => page.data) ?? []
  return (
    <Card title={t.words.timeline}>
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Loading />}
      {query.data && events.length === 0 && <p className="text-quiet">{t.words.nothingYet}</p>}
      <ol className="space-y-3.5">
        {events.map(({ id, name, data, createdAt }) => (
          <li key={id} className="flex gap-3">
            <i className="mt-1.5 size-2 shrink-0 rounded-full bg-edge" aria-hidden />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium wrap-anywhere">{t.messages.events[name] ?? name}</span>
                <span className="text-xs text-quiet">
                  <Time at={createdAt} />
                </span>
              </p>
              {data && <p className="truncate text-quiet">{gist(data)}</p>}
            </div>
          </li>
        ))}
      </ol>
      <MoreButton query={query} className="mt-4" />
    </Card>
  )
}

/** The subject if the event is about a message; otherwise the plain values. */
function gist(data: Record<string, unknown>): string {
  if (typeof data['subject'] === 'string') return data['subject']
  return Object.entries(data)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ')
}
