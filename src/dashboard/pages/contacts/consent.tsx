// How the contact's consent came about, and the page where the contact decides that.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import type { Schemas } from '../../api/client'
import { t } from '../../texts'
import { CopyButton } from '../../ui/copy'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { MoreButton } from '../../ui/more-button'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { consentQuery, linksQuery } from './data'

export function Consent({ contactId }: { contactId: string }) {
  const query = useInfiniteQuery(consentQuery(contactId))
  const changes = query.data?.pages.flatMap(page => page.data) ?? []
  return (
    <Card title={t.contacts.consent}>
      <div className="space-y-4">
        {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
        {query.isPending && <Loading />}
        {query.data && changes.length === 0 && <p className="text-quiet">{t.contacts.noConsent}</p>}
        {changes.length > 0 && (
          <ol className="space-y-3">
            {changes.map(change => (
              <Change key={change.version} change={change} />
            ))}
          </ol>
        )}
        <MoreButton query={query} />
        <Preferences contactId={contactId} />
      </div>
    </Card>
  )
}

function Change({
  change: { at, topic, after, source, actor, actorEmail, wording },
}: {
  change: Schemas['ConsentChange']
}) {
  const who = actorEmail ?? (source === 'workflow' ? null : actor)
  return (
    <li>
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">
          {topic && `${topic}: `}
          {t.contacts.consentStates[after]}
        </span>
        <span className="text-xs text-quiet">
          <Time at={at} exact />
        </span>
      </p>
      <p className="wrap-anywhere text-quiet">
        {t.contacts.consentSources[source]}
        {who && ` · ${who}`}
      </p>
      {wording && <p className="wrap-anywhere text-quiet">“{wording}”</p>}
    </li>
  )
}

function Preferences({ contactId }: { contactId: string }) {
  const { data } = useQuery(linksQuery(contactId))
  if (!data) return null
  return (
    <div className="space-y-1.5 border-t border-line pt-3">
      <p className="text-quiet">{t.contacts.preferencesHint}</p>
      <p className="flex items-center gap-2">
        <a
          href={data.manageUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-8 items-center gap-1.5 font-medium text-accent hover:underline max-md:min-h-11"
        >
          {t.contacts.preferences} <ExternalLink className="size-3.5" aria-hidden />
        </a>
        <CopyButton text={data.manageUrl} />
      </p>
    </div>
  )
}
