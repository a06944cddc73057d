// The state of a message in a word.
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import type { Mail } from './data'

const tones: Record<string, Tone> = {
  SENT: 'neutral',
  DELIVERED: 'good',
  OPENED: 'good',
  CLICKED: 'accent',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  FAILED: 'bad',
}

export function MailStatus({ mail: { status, error } }: { mail: Pick<Mail, 'status' | 'error'> }) {
  const isWaiting = status === 'PENDING' && error
  const word = isWaiting ? t.messages.retrying : (t.messages.statuses[status] ?? status)
  return <Badge tone={isWaiting ? 'warn' : tones[status]}>{word}</Badge>
}
