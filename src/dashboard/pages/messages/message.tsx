// One message: what became of it and why, what was in it, and whether its links were followed.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { answer, api } from '../../api/client'
import { ForSenders } from '../../app/rights'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { CopyValue } from '../../ui/copy'
import { Fact } from '../../ui/fact'
import { FormDialogButton } from '../../ui/form-dialog'
import { formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { answerOf, sayReason } from '../../ui/reason'
import { Time } from '../../ui/time'
import { Content } from './content'
import { isOpen, type Mail, messageQuery, type WholeMail } from './data'
import { Links, MailStatus, Timeline } from './timeline'

const route = getRouteApi('/inside/messages/$id')

export function Message() {
  const { id } = route.useParams()
  const query = useQuery(messageQuery(id))
  return (
    <Loaded page query={query}>
      {mail => <Shown mail={mail} />}
    </Loaded>
  )
}

function Shown({ mail }: { mail: WholeMail }) {
  return (
    <Page
      title={mail.subject}
      state={<MailStatus mail={mail} />}
      description={`${mail.to}`}
      above={<BackLink to="/messages">{t.messages.title}</BackLink>}
      actions={
        !isOpen(mail.status) &&
        mail.sourceType !== 'INBOUND' && (
          <ForSenders label={t.messages.resend}>
            <Resend mail={mail} />
          </ForSenders>
        )
      }
    >
      <Why mail={mail} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 space-y-6">
          <Content key={mail.id} mail={mail} />
          <Links mail={mail} />
        </div>
        <div className="min-w-0 space-y-6">
          <Card title={t.words.timeline}>
            <Timeline mail={mail} />
          </Card>
          <Facts mail={mail} />
        </div>
      </div>
    </Page>
  )
}

function Why({ mail }: { mail: WholeMail }) {
  const { status, complainedAt, reason } = mail
  const isComplaint = status === 'COMPLAINED' || complainedAt !== null
  if (!isComplaint && reason === null) return null
  const answer = isComplaint ? undefined : answerOf(mail)
  return (
    <section className="flex gap-3 rounded-lg bg-warn-soft px-4 py-3.5" aria-label={t.messages.why.title}>
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
      <div className="space-y-0.5 wrap-anywhere">
        <h2 className="font-semibold">{t.messages.why.title}</h2>
        <p>{isComplaint ? t.messages.why.complained : sayReason(mail)}</p>
        {answer && <p className="text-quiet">{t.messages.why.answer(answer)}</p>}
        {mail.nextAttemptAt && (
          <p>
            {t.messages.nextTry}: <Time at={mail.nextAttemptAt} exact /> (<Time at={mail.nextAttemptAt} />)
          </p>
        )}
      </div>
    </section>
  )
}

/** Sending a message once more, after asking. */
function Resend({ mail: { id, to } }: { mail: Mail }) {
  const navigate = useNavigate()
  const send = async (): Promise<string> => {
    const made = await answer(api.POST('/emails/{id}/resend', { params: { path: { id } } }))
    await navigate({ to: '/messages/$id', params: { id: made.id } })
    return t.messages.resent
  }
  return (
    <FormDialogButton
      label={t.messages.resend}
      title={t.messages.resendTitle}
      description={t.messages.resendHint(to)}
      onSubmit={send}
    />
  )
}

/** Recipient, sender, what sent it, and the ids that support asks for. */
function Facts({ mail }: { mail: WholeMail }) {
  const { facts } = t.messages
  return (
    <Card title={t.words.details}>
      <dl className="space-y-3">
        <Fact name={t.words.to}>
          <Link
            to="/contacts/$id"
            params={{ id: mail.contactId }}
            className="underline decoration-edge underline-offset-2 hover:decoration-ink"
          >
            {mail.to}
          </Link>
        </Fact>
        <Fact name={t.words.from}>{mail.fromName ? `${mail.fromName} <${mail.from}>` : mail.from}</Fact>
        {mail.replyTo && <Fact name={facts.replyTo}>{mail.replyTo}</Fact>}
        <Fact name={t.words.sentBy}>{t.messages.sources[mail.sourceType] ?? mail.sourceType}</Fact>
        <Fact name={facts.opens}>{counted(mail.opens, mail.machineOpens)}</Fact>
        <Fact name={facts.clicks}>{counted(mail.clicks, mail.machineClicks)}</Fact>
        <Fact name={facts.messageId}>
          <CopyValue value={mail.messageId} />
        </Fact>
        <Fact name={t.words.id}>
          <CopyValue value={mail.id} />
        </Fact>
      </dl>
    </Card>
  )
}

function counted(people: number, programs: number): string {
  const shown = formatNumber(people)
  return programs > 0 ? `${shown} (${t.messages.facts.machine(programs)})` : shown
}
