// Mailbox providers that rejected email of the project, with what they said; nothing where none did.
import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { Card } from '../../ui/page'
import { providerName } from '../../ui/provider-name'
import { Time } from '../../ui/time'
import { type Rejection, rejectionsQuery, type Span } from './data'

export function Rejections({ span }: { span: Span }) {
  const { data } = useQuery(rejectionsQuery(span))
  if (!data || data.length === 0) return null
  return (
    <Card title={t.overview.rejections} description={t.overview.rejectionsHint}>
      <ul className="divide-y divide-line">
        {data.map(rejection => (
          <Row key={rejection.provider} {...rejection} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ provider, emails, reason, lastAt }: Rejection) {
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <p className="min-w-0 font-medium wrap-anywhere">{providerName(provider)}</p>
        <p className="text-quiet tabular-nums">{t.overview.rejected(emails)}</p>
        <span className="ml-auto">
          <Time at={lastAt} />
        </span>
      </div>
      <p className="text-quiet wrap-anywhere">{reason}</p>
    </li>
  )
}
