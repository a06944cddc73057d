// One endpoint: its state, the events that it receives, its answers, and what can be done with it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { KeyRound, Pencil, Power, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { isAdmin, refresh, useProject } from '../../../app/session'
import { t } from '../../../texts'
import { BackLink } from '../../../ui/back-link'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { changedParts } from '../../../ui/changed-parts'
import { Confirm } from '../../../ui/confirm'
import { Dialog } from '../../../ui/dialog'
import { formatDateTime } from '../../../ui/format'
import { Loaded } from '../../../ui/loading'
import { Menu } from '../../../ui/menu'
import { Card, Page } from '../../../ui/page'
import { SecretDialog } from '../../../ui/secret-dialog'
import { toast, toastError } from '../../../ui/toast'
import type { Endpoint } from './data'
import { endpointQuery } from './data'
import { Deliveries } from './deliveries'
import { EndpointForm, type EndpointInput } from './form'
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

/** What can be done with an endpoint: test it, change it, switch it on or off, replace its secret, remove it. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, enabled } = endpoint
  const [asked, setAsked] = useState<'edit' | 'secret' | 'removal'>()
  const [secret, setSecret] = useState<string>()
  const navigate = useNavigate()
  const params = { path: { id } }
  const close = (): void => setAsked(undefined)
  const change = async (body: Partial<EndpointInput> & { enabled?: boolean }): Promise<void> => {
    await answer(api.PATCH('/webhook-endpoints/{id}', { params, body }))
    await refresh('webhooks')
  }
  const toggle = async (): Promise<void> => {
    await change({ enabled: !enabled })
    toast(enabled ? t.webhooks.turnedOff : t.webhooks.turnedOn)
  }
  const test = async (): Promise<void> => {
    const testing = answer(api.POST('/webhook-endpoints/{id}/test', { params }))
    await testing.then(() => toast(t.webhooks.tested), toastError).finally(() => refresh('webhooks'))
  }
  const rotate = async (): Promise<void> => {
    const rotating = answer(api.POST('/webhook-endpoints/{id}/rotate-secret', { params, body: {} }))
    setSecret((await rotating).secret)
    await refresh('webhooks')
  }
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/webhook-endpoints/{id}', { params }))
    toast(t.webhooks.removed)
    await navigate({ to: '/settings/webhooks' })
  }
  const { rotation } = t.webhooks
  const removal = t.webhooks.removal(url)
  return (
    <>
      <Menu
        entries={[
          {
            label: enabled ? t.webhooks.turnOff : t.webhooks.turnOn,
            icon: <Power aria-hidden />,
            onSelect: () => void toggle(),
          },
          { label: rotation.action, icon: <KeyRound aria-hidden />, onSelect: () => setAsked('secret') },
          null,
          {
            label: removal.action,
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => setAsked('removal'),
          },
        ]}
      />
      <Button onClick={() => setAsked('edit')}>
        <Pencil aria-hidden />
        {t.words.edit}
      </Button>
      <Button variant="strong" onClick={test}>
        {t.words.sendTest}
      </Button>
      <Dialog open={asked === 'edit'} onClose={close} title={t.words.edit}>
        <EndpointForm
          given={endpoint}
          action={t.words.save}
          onClose={close}
          onSubmit={async input => {
            await change(changedParts(input, endpoint))
            toast(t.words.saved)
            close()
          }}
        />
      </Dialog>
      <Confirm
        open={asked === 'secret'}
        onClose={close}
        title={rotation.question}
        consequence={rotation.consequence}
        action={rotation.action}
        onConfirm={rotate}
      />
      <SecretDialog words={t.webhooks.secretWords} secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        open={asked === 'removal'}
        onClose={close}
        title={removal.question}
        consequence={removal.consequence}
        action={removal.action}
        onConfirm={remove}
      />
    </>
  )
}
