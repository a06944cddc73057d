// The endpoints of the project: what each receives, and whether it works.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { isAdmin, queryClient, useProject } from '../../../app/session'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { NoRows } from '../../../ui/list-page'
import { Card, Page } from '../../../ui/page'
import { RowList } from '../../../ui/row-list'
import { SecretDialog } from '../../../ui/secret-dialog'
import { AdminsOnly } from '../frame'
import { type Endpoint, endpointQuery, endpointsQuery } from './data'
import { EndpointForm, type EndpointInput } from './form'
import { EndpointState } from './state'

export function Webhooks() {
  const query = useQuery(endpointsQuery)
  const mayChange = isAdmin(useProject())
  return (
    <Page title={t.webhooks.title} description={t.webhooks.hint} actions={mayChange && <AddEndpoint />}>
      <AdminsOnly />
      <Card>
        <RowList query={query} empty={<NoRows words={t.webhooks} icon={Webhook} />}>
          {endpoint => <Row key={endpoint.id} endpoint={endpoint} />}
        </RowList>
      </Card>
    </Page>
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

const nothing: EndpointInput = {
  url: '',
  description: '',
  eventTypes: ['email.delivery', 'email.bounce', 'email.complaint', 'contact.unsubscribed'],
}

/** Adds an endpoint, shows its secret, and leads to its page. */
function AddEndpoint() {
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const navigate = useNavigate()
  const add = async (input: EndpointInput): Promise<void> => {
    const { secret, ...endpoint } = await answer(api.POST('/webhook-endpoints', { body: input }))
    queryClient.setQueryData(endpointQuery(endpoint.id).queryKey, endpoint)
    setOpen(false)
    setMade({ id: endpoint.id, secret })
  }
  const leave = async (): Promise<void> => {
    await navigate({ to: '/settings/webhooks/$id', params: { id: made!.id } })
  }
  return (
    <>
      <Button variant="strong" onClick={() => setOpen(true)}>
        {t.webhooks.add}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.webhooks.add}
        description={t.webhooks.addHint}
      >
        <EndpointForm given={nothing} action={t.webhooks.add} onSubmit={add} onClose={() => setOpen(false)} />
      </Dialog>
      <SecretDialog words={t.webhooks.secretWords} secret={made?.secret} onClose={leave} />
    </>
  )
}
