// Who entered a tracked segment and who left it.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogIn, LogOut } from 'lucide-react'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { MoreButton } from '../../ui/more-button'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { historyQuery } from './data'

export function History({ segmentId }: { segmentId: string }) {
  const query = useInfiniteQuery(historyQuery(segmentId))
  const changes = query.data?.pages.flatMap(page => page.data) ?? []
  return (
    <Card title={t.segments.history} description={t.segments.historyHint}>
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Loading />}
      {query.data && changes.length === 0 && <p className="text-quiet">{t.segments.noHistory}</p>}
      <ol className="space-y-2">
        {changes.map(({ id, change, contactId, email, at }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="text-quiet [&>svg]:size-4" title={t.segments.changes[change]}>
              {change === 'entry' ? <LogIn aria-hidden /> : <LogOut aria-hidden />}
              <span className="sr-only">{t.segments.changes[change]}</span>
            </span>
            <span className="min-w-0 flex-1 truncate">
              {contactId && email ? (
                <Link to="/contacts/$id" params={{ id: contactId }} className="hover:underline">
                  {email}
                </Link>
              ) : (
                <span className="text-quiet">{t.segments.goneContact}</span>
              )}
            </span>
            <span className="text-xs text-quiet">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
      <MoreButton query={query} className="mt-4" />
    </Card>
  )
}
