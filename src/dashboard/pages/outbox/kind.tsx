// What a mail in the outbox is, where it is none of the ledger.
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import type { OutboxKind } from './mails'

export function KindBadge({ kind }: { kind?: OutboxKind }) {
  return kind === undefined ? null : <Badge>{t.outbox.kinds[kind]}</Badge>
}
