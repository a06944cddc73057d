// Adds an endpoint, shows its secret, and leads to its page.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { ToldOnce } from '../told-once'
import { endpointQuery, endpointsQuery } from './data'
import { EndpointForm, type Said } from './form'

const nothing: Said = {
  url: '',
  description: '',
  eventTypes: ['email.delivery', 'email.bounce', 'email.complaint', 'contact.unsubscribed'],
}

export function AddEndpoint() {
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const add = async (said: Said): Promise<void> => {
    const { secret, ...endpoint } = await answer(api.POST('/webhook-endpoints', { body: said }))
    queries.setQueryData(endpointQuery(endpoint.id).queryKey, endpoint)
    setOpen(false)
    setMade({ id: endpoint.id, secret })
  }
  const leave = async (): Promise<void> => {
    await navigate({ to: '/settings/webhooks/$id', params: { id: made!.id } })
    await queries.invalidateQueries({ queryKey: endpointsQuery.queryKey })
  }
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.webhooks.add}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.webhooks.add}
        description={t.webhooks.addHint}
      >
        <EndpointForm said={nothing} action={t.webhooks.add} onSubmit={add} onClose={() => setOpen(false)} />
      </Dialog>
      <ToldOnce words={t.webhooks.told} secret={made?.secret} onClose={leave} />
    </>
  )
}
