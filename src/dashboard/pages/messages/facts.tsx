// Recipient, sender, what sent it, and the ids that support asks for.
import { Link } from '@tanstack/react-router'
import { t } from '../../texts'
import { CopyValue } from '../../ui/copy'
import { Fact } from '../../ui/fact'
import { formatNumber } from '../../ui/format'
import { Card } from '../../ui/page'
import type { WholeMail } from './data'

export function Facts({ mail }: { mail: WholeMail }) {
  const { facts } = t.messages
  return (
    <Card title={t.words.details}>
      <dl className="space-y-3">
        <Fact name={t.words.to}>
          <Link
            to="/contacts/$id"
            params={{ id: mail.contactId }}
            className="underline decoration-edge underline-offset-2 hover:decoration-ink"
          >
            {mail.to}
          </Link>
        </Fact>
        <Fact name={t.words.from}>{mail.fromName ? `${mail.fromName} <${mail.from}>` : mail.from}</Fact>
        {mail.replyTo && <Fact name={facts.replyTo}>{mail.replyTo}</Fact>}
        <Fact name={t.words.sentBy}>{t.messages.sources[mail.sourceType] ?? mail.sourceType}</Fact>
        <Fact name={facts.opens}>{counted(mail.opens, mail.machineOpens)}</Fact>
        <Fact name={facts.clicks}>{counted(mail.clicks, mail.machineClicks)}</Fact>
        <Fact name={facts.messageId}>
          <CopyValue value={mail.messageId} />
        </Fact>
        <Fact name={t.words.id}>
          <CopyValue value={mail.id} />
        </Fact>
      </dl>
    </Card>
  )
}

function counted(people: number, programs: number): string {
  const shown = formatNumber(people)
  return programs > 0 ? `${shown} (${t.messages.facts.machine(programs)})` : shown
}
