// When the contact subscribed and unsubscribed, and the page where the contact decides that.
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { t } from '../../texts'
import { CopyButton } from '../../ui/copy'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { consentQuery, linksQuery } from './data'

export function Consent({ contactId }: { contactId: string }) {
  const query = useQuery(consentQuery(contactId))
  return (
    <Card title={t.contacts.consent}>
      <div className="space-y-4">
        <Loaded query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-quiet">{t.contacts.noConsent}</p>
            ) : (
              <ol className="space-y-2">
                {data.map(({ id, type, timestamp }) => (
                  <li key={id} className="flex justify-between gap-3">
                    <span>
                      {type === 'contact.subscribed' ? t.contacts.nowSubscribed : t.contacts.nowUnsubscribed}
                    </span>
                    <span className="text-xs text-quiet">
                      <Time at={timestamp} exact />
                    </span>
                  </li>
                ))}
              </ol>
            )
          }
        </Loaded>
        <Preferences contactId={contactId} />
      </div>
    </Card>
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
