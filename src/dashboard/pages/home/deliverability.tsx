// Mailbox providers that rejected email of the project in the last 30 days, with what they said.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { t } from '../../texts'
import { Loaded, Loading } from '../../ui/loading'
import { Card } from '../../ui/page'
import { providerName } from '../../ui/provider-name'
import { rejectionsQuery } from './data'

export function Deliverability() {
  const query = useQuery(rejectionsQuery())
  return (
    <Card title={t.home.deliverability} description={t.home.deliverabilityHint}>
      <Loaded query={query} outline={<Loading lines={2} />}>
        {rejections =>
          rejections.length === 0 ? (
            <p className="flex items-center gap-2.5">
              <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
              {t.home.noRejections}
            </p>
          ) : (
            <ul className="-my-2.5 divide-y divide-line">
              {rejections.map(({ provider, emails, reason }) => (
                <li key={provider} className="py-2.5">
                  <p className="flex items-center gap-2">
                    <CircleAlert className="size-4 shrink-0 text-warn" aria-hidden />
                    <span className="min-w-0 flex-1 truncate font-medium">{providerName(provider)}</span>
                    <span className="text-warn tabular-nums">{t.home.rejected(emails)}</span>
                  </p>
                  <p className="line-clamp-2 pl-6 text-[0.8125rem] text-quiet wrap-anywhere">{reason}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
