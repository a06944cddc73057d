// One contact: what is known about it, what it got, and what it did.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { CopyValue } from '../../ui/copy'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { Consent } from './consent'
import { contactQuery, type Contact as Person } from './data'
import { DataEditor } from './data-editor'
import { Events } from './events'
import { Mails } from './mails'
import { Segments } from './segments'
import { Subscription } from './subscription'
import { Workflows } from './workflows'

const route = getRouteApi('/inside/contacts/$id')

export function ContactPage() {
  const { id } = route.useParams()
  const query = useQuery(contactQuery(id))
  return <Loaded query={query}>{contact => <Shown contact={contact} />}</Loaded>
}

function Shown({ contact }: { contact: Person }) {
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {contact.email} <Subscription contact={contact} />
        </span>
      }
      name={contact.email}
      above={
        <Link to="/contacts" className="inline-flex items-center gap-1 hover:text-ink">
          <ChevronLeft className="size-4" aria-hidden /> {t.contacts.title}
        </Link>
      }
      actions={
        <>
          <Delete contact={contact} />
          <Subscribe contact={contact} />
        </>
      }
    >
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 space-y-6">
          <Mails contactId={contact.id} />
          <Events contactId={contact.id} />
        </div>
        <div className="min-w-0 space-y-6">
          <Consent contactId={contact.id} />
          <Segments contactId={contact.id} />
          <Workflows contactId={contact.id} />
          <Card title={t.contacts.data} description={t.contacts.dataHint}>
            <DataEditor key={contact.updatedAt} contact={contact} />
          </Card>
          <Facts contact={contact} />
        </div>
      </div>
    </Page>
  )
}

function Facts({ contact: { id, createdAt, updatedAt, snoozedUntil } }: { contact: Person }) {
  const facts = [
    [t.contacts.columns.createdAt, <Time key="created" at={createdAt} exact />],
    [t.contacts.updatedAt, <Time key="updated" at={updatedAt} exact />],
    ...(snoozedUntil
      ? [[t.contacts.snoozedUntil, <Time key="snoozed" at={snoozedUntil} exact />] as const]
      : []),
    [t.contacts.id, <CopyValue key="id" value={id} />],
  ] as const
  return (
    <Card title={t.contacts.details}>
      <dl className="space-y-3">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Subscribe({ contact: { id, subscribed } }: { contact: Person }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const change = async (to: boolean): Promise<void> => {
    setBusy(true)
    try {
      await answer(api.PATCH('/contacts/{id}', { params: { path: { id } }, body: { subscribed: to } }))
      const undo = to ? undefined : { label: t.contacts.undo, run: () => void change(true) }
      toast(to ? t.contacts.nowSubscribed : t.contacts.nowUnsubscribed, undo)
    } catch (error) {
      toast(error instanceof Error ? error.message : t.errors.unknown)
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: ['contacts'] })
    }
  }
  return (
    <Button busy={busy} onClick={() => change(!subscribed)}>
      {subscribed ? t.contacts.bulk.unsubscribe : t.contacts.bulk.subscribe}
    </Button>
  )
}

function Delete({ contact: { id, email } }: { contact: Person }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/contacts/{id}', { params: { path: { id } } }))
    void queries.invalidateQueries({ queryKey: ['contacts', 'list'] })
    toast(t.contacts.deleted(email))
    await navigate({ to: '/contacts' })
  }
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t.words.delete}
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title={t.contacts.deleteOne(email)}
        consequence={t.contacts.deleteHint}
        action={t.contacts.deleteOne(email)}
        onConfirm={remove}
      />
    </>
  )
}
