// One contact: what is known about it, what it got, and what it did.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { CopyButton, CopyValue } from '../../ui/copy'
import { Fact } from '../../ui/fact'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { Consent, Events, Mails, Segments, Topics, Workflows } from './cards'
import { contactQuery, type Contact as Person } from './data'
import { Details } from './details'
import { Subscription } from './subscription'
import { contactName } from './value'

const route = getRouteApi('/inside/contacts/$id')

export function ContactPage() {
  const { id } = route.useParams()
  const query = useQuery(contactQuery(id))
  return (
    <Loaded page query={query}>
      {contact => <Shown contact={contact} />}
    </Loaded>
  )
}

function Shown({ contact }: { contact: Person }) {
  const name = contactName(contact.data)
  return (
    <Page
      title={name ?? contact.email}
      state={<Subscription contact={contact} />}
      description={
        name && (
          <span className="inline-flex max-w-full items-center gap-1">
            <span className="truncate">{contact.email}</span>
            <CopyButton text={contact.email} />
          </span>
        )
      }
      above={<BackLink to="/contacts">{t.contacts.title}</BackLink>}
      actions={
        <ForWriters>
          <Delete contact={contact} />
          <Subscribe contact={contact} />
        </ForWriters>
      }
    >
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 space-y-6">
          <Events contactId={contact.id} />
          <Mails contactId={contact.id} />
        </div>
        <div className="min-w-0 space-y-6">
          <Details contact={contact} />
          <Topics contact={contact} />
          <Consent contactId={contact.id} />
          <Segments contactId={contact.id} />
          <Workflows contactId={contact.id} />
          <Facts contact={contact} />
        </div>
      </div>
    </Page>
  )
}

function Facts({ contact: { id, createdAt, updatedAt, snoozedUntil } }: { contact: Person }) {
  return (
    <Card title={t.words.details}>
      <dl className="space-y-3">
        <Fact name={t.contacts.columns.createdAt}>
          <Time at={createdAt} exact />
        </Fact>
        <Fact name={t.words.updatedAt}>
          <Time at={updatedAt} exact />
        </Fact>
        {snoozedUntil && (
          <Fact name={t.contacts.snoozedUntil}>
            <Time at={snoozedUntil} exact />
          </Fact>
        )}
        <Fact name={t.words.id}>
          <CopyValue value={id} />
        </Fact>
      </dl>
    </Card>
  )
}

function Subscribe({ contact: { id, subscribed } }: { contact: Person }) {
  const [busy, run] = useBusy()
  const change = async (to: boolean, isUndo = false): Promise<void> => {
    await run(async () => {
      // Whoever is put back was not gone, and is not welcomed.
      const body = { subscribed: to, ...(isUndo && { startWorkflows: false }) }
      await answer(api.PATCH('/contacts/{id}', { params: { path: { id } }, body }))
      const undo = to ? undefined : { label: t.words.undo, run: () => void change(true, true) }
      toast(to ? t.contacts.nowSubscribed : t.contacts.nowUnsubscribed, undo)
    })
    void refresh('contacts')
  }
  return (
    <Button busy={busy} onClick={() => change(!subscribed)}>
      {subscribed ? t.contacts.bulk.unsubscribe : t.contacts.bulk.subscribe}
    </Button>
  )
}

function Delete({ contact: { id, email } }: { contact: Person }) {
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/contacts/{id}', { params: { path: { id } } }))
    toast(t.contacts.deleted(email))
    await navigate({ to: '/contacts' })
  }
  return (
    <ConfirmButton
      variant="danger"
      label={t.words.delete}
      title={t.contacts.deleteOne(email)}
      consequence={t.contacts.deleteHint}
      onConfirm={remove}
    />
  )
}
