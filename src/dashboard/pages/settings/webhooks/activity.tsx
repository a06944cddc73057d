// The deliveries to one endpoint at a time, among everything else that happens in the project.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { t } from '../../../texts'
import { ButtonLink } from '../../../ui/button'
import { Select } from '../../../ui/field'
import { useFilterFields } from '../../../ui/list-page'
import { Loaded } from '../../../ui/loading'
import { Empty, Page } from '../../../ui/page'
import { endpointsQuery } from './data'
import { DeliveryTable } from './deliveries'

const route = getRouteApi('/inside/deliveries')

export function WebhookDeliveries() {
  const filters = route.useSearch()
  const field = useFilterFields(filters)('endpoint')
  const query = useQuery(endpointsQuery)
  return (
    <Page title={t.webhooks.deliveries} description={t.webhooks.deliveriesHint}>
      <Loaded query={query}>
        {endpoints => {
          const chosen = endpoints.find(({ id }) => id === filters.endpoint) ?? endpoints[0]
          if (!chosen) return <NoEndpoint />
          return (
            <>
              {endpoints.length > 1 && (
                <Select
                  label={t.webhooks.endpoint}
                  className="md:w-auto md:max-w-96"
                  options={endpoints.map(({ id, url }) => [id, url])}
                  {...field}
                  value={chosen.id}
                />
              )}
              <DeliveryTable key={chosen.id} id={chosen.id} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function NoEndpoint() {
  return (
    <Empty
      icon={<Webhook aria-hidden />}
      title={t.webhooks.empty}
      action={<ButtonLink to="/settings/webhooks">{t.webhooks.add}</ButtonLink>}
    >
      {t.webhooks.emptyHint}
    </Empty>
  )
}
