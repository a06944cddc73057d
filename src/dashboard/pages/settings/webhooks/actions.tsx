// What can be done with an endpoint: test it, change it, switch it on or off, replace its secret, remove it.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { t } from '../../../texts'
import { Button, IconButton } from '../../../ui/button'
import { changedParts } from '../../../ui/changed-parts'
import { Confirm } from '../../../ui/confirm'
import { Dialog } from '../../../ui/dialog'
import { Menu } from '../../../ui/menu'
import { toast, toastError } from '../../../ui/toast'
import { ToldOnce } from '../told-once'
import type { Endpoint } from './data'
import { EndpointForm } from './form'

type Asked = 'edit' | 'secret' | 'removal'

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const acts = useActs(endpoint)
  const close = (): void => setAsked(undefined)
  const removal = t.webhooks.removal(endpoint.url)
  const { rotation } = t.webhooks
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t.words.more} look="plain">
            <Ellipsis aria-hidden />
          </IconButton>
        }
        entries={[
          {
            label: endpoint.enabled ? t.webhooks.turnOff : t.webhooks.turnOn,
            icon: <Power aria-hidden />,
            onSelect: () => void acts.toggle(),
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
      <Button look="strong" onClick={acts.test}>
        {t.words.sendTest}
      </Button>
      <Dialog open={asked === 'edit'} onClose={close} title={t.words.edit}>
        <EndpointForm
          said={endpoint}
          action={t.words.save}
          onClose={close}
          onSubmit={async said => {
            await acts.change(changedParts(said, endpoint))
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
        onConfirm={async () => setSecret(await acts.rotate())}
      />
      <ToldOnce words={t.webhooks.told} secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        open={asked === 'removal'}
        onClose={close}
        title={removal.question}
        consequence={removal.consequence}
        action={removal.action}
        onConfirm={acts.remove}
      />
    </>
  )
}

function useActs({ id, enabled }: Endpoint) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const params = { path: { id } }
  const again = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
  const change = async (body: Partial<Endpoint>): Promise<void> => {
    const { url, description, eventTypes, enabled: isOn } = body
    const said = { url, description, eventTypes, enabled: isOn }
    await answer(api.PATCH('/webhook-endpoints/{id}', { params, body: said }))
    await again()
  }
  return {
    change,
    toggle: async (): Promise<void> => {
      try {
        await change({ enabled: !enabled })
        toast(enabled ? t.webhooks.turnedOff : t.webhooks.turnedOn)
      } catch (error) {
        toastError(error)
      }
    },
    test: async (): Promise<void> => {
      try {
        await answer(api.POST('/webhook-endpoints/{id}/test', { params }))
        toast(t.webhooks.tested)
      } catch (error) {
        toastError(error)
      }
      await again()
    },
    rotate: async (): Promise<string> => {
      const { secret } = await answer(api.POST('/webhook-endpoints/{id}/rotate-secret', { params, body: {} }))
      await again()
      return secret
    },
    remove: async (): Promise<void> => {
      await answer(api.DELETE('/webhook-endpoints/{id}', { params }))
      toast(t.webhooks.removed)
      await navigate({ to: '/settings/webhooks' })
    },
  }
}
