// The newest messages to a contact.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { contactMailsQuery } from './data'

const troubled = new Set(['FAILED', 'BOUNCED', 'COMPLAINED'])

export function Mails({ contactId }: { contactId: string }) {
  const query = useQuery(contactMailsQuery(contactId))
  return (
    <Card title={t.messages.title}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-quiet">{t.contacts.noMails}</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map(({ id, subject, status, createdAt }) => (
                <li key={id} className="flex items-center gap-3 py-1">
                  <Link
                    to="/messages/$id"
                    params={{ id }}
                    className="min-w-0 flex-1 truncate py-1.5 font-medium hover:underline"
                  >
                    {subject}
                  </Link>
                  <Badge tone={troubled.has(status) ? 'bad' : 'neutral'}>
                    {t.messages.statuses[status] ?? status}
                  </Badge>
                  <span className="text-xs text-quiet max-md:hidden">
                    <Time at={createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
