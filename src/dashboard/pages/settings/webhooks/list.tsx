// The endpoints of the project: what each receives, and whether it works.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { isAdmin, useProject } from '../../../app/session'
import { t } from '../../../texts'
import { Loaded } from '../../../ui/loading'
import { Card, Empty } from '../../../ui/page'
import { AdminsOnly, SettingsPage } from '../frame'
import { AddEndpoint } from './add'
import { type Endpoint, endpointsQuery } from './data'
import { EndpointState } from './state'

export function Webhooks() {
  const query = useQuery(endpointsQuery)
  const mayChange = isAdmin(useProject())
  return (
    <SettingsPage name={t.webhooks.title}>
      <AdminsOnly />
      <Card
        title={t.webhooks.title}
        description={t.webhooks.hint}
        actions={mayChange && query.data && query.data.length > 0 && <AddEndpoint />}
      >
        <Loaded query={query}>
          {list =>
            list.length === 0 ? (
              <Empty
                icon={<Webhook aria-hidden />}
                title={t.webhooks.empty}
                action={mayChange && <AddEndpoint />}
              >
                {t.webhooks.emptyHint}
              </Empty>
            ) : (
              <ul className="-my-3 divide-y divide-line">
                {list.map(endpoint => (
                  <Row key={endpoint.id} endpoint={endpoint} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </SettingsPage>
  )
}

function Row({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, eventTypes } = endpoint
  return (
    <li className="relative -mx-4 flex min-h-14 items-center gap-x-4 px-4 py-2.5 hover:bg-hover md:-mx-5 md:px-5">
      <div className="min-w-0 flex-1">
        <Link
          to="/settings/webhooks/$id"
          params={{ id }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {url}
        </Link>
        <p className="truncate text-xs text-quiet">
          {[description, t.webhooks.events(eventTypes.length)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <EndpointState endpoint={endpoint} />
    </li>
  )
}
