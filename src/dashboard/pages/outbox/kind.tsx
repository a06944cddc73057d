// What a mail in the outbox is, where it is none of the email log; and what became of it, where it is not out.
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import type { ListedMail } from './mails'

/** These are what the page is about, so nothing is said of them. */
const isOut: ReadonlySet<string> = new Set(['SENT', 'DELIVERED', 'OPENED', 'CLICKED'])

export function MailBadge({ mail: { kind, status } }: { mail: Pick<ListedMail, 'kind' | 'status'> }) {
  if (kind !== undefined) return <Badge>{t.outbox.kinds[kind]}</Badge>
  if (status === undefined || isOut.has(status)) return null
  const isOpen = status === 'PENDING' || status === 'SENDING'
  return <Badge tone={isOpen ? 'warn' : 'bad'}>{t.messages.statuses[status] ?? status}</Badge>
}
