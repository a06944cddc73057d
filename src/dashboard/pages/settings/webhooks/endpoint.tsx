// One endpoint: its state, the events that it receives, and its answers.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { isAdmin, useProject } from '../../../app/session'
import { t } from '../../../texts'
import { BackLink } from '../../../ui/back-link'
import { Badge } from '../../../ui/badge'
import { formatDateTime } from '../../../ui/format'
import { Loaded } from '../../../ui/loading'
import { Card, Page } from '../../../ui/page'
import { EndpointActions } from './actions'
import { type Endpoint, endpointQuery } from './data'
import { Deliveries } from './deliveries'
import { EndpointState, stateOf } from './state'

const route = getRouteApi('/inside/settings/webhooks/$id')

export function OneEndpoint() {
  const { id } = route.useParams()
  const query = useQuery(endpointQuery(id))
  return (
    <Loaded page query={query}>
      {endpoint => <Shown endpoint={endpoint} />}
    </Loaded>
  )
}

function Shown({ endpoint }: { endpoint: Endpoint }) {
  const mayChange = isAdmin(useProject())
  const { url, description, eventTypes } = endpoint
  return (
    <Page
      title={url}
      state={<EndpointState endpoint={endpoint} />}
      description={description || undefined}
      above={<BackLink to="/settings/webhooks">{t.webhooks.title}</BackLink>}
      actions={mayChange && <EndpointActions endpoint={endpoint} />}
    >
      <Trouble endpoint={endpoint} />
      <Card title={t.webhooks.eventTypes}>
        <ul className="flex flex-wrap gap-1.5">
          {eventTypes.map(name => (
            <li key={name} className="max-w-full truncate">
              <Badge>{name}</Badge>
            </li>
          ))}
        </ul>
      </Card>
      <Deliveries endpoint={endpoint} mayChange={mayChange} />
    </Page>
  )
}

function Trouble({ endpoint }: { endpoint: Endpoint }) {
  const state = stateOf(endpoint)
  if (state !== 'failing' && state !== 'given') return null
  return (
    <p role="status" className="flex gap-2.5 rounded-lg bg-warn-soft px-3.5 py-3">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
      {state === 'given' ? t.webhooks.givenUp : t.webhooks.failing(formatDateTime(endpoint.failingSince!))}
    </p>
  )
}
