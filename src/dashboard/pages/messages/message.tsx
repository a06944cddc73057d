// One message: what became of it and why, what was in it, and whether its links were followed.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { Content } from './content'
import { isOpen, type Mail, messageQuery, type WholeMail } from './data'
import { Facts } from './facts'
import { Links } from './links'
import { Resend } from './resend'
import { MailStatus } from './status'
import { Timeline } from './timeline'

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
      actions={!isOpen(mail.status) && mail.sourceType !== 'INBOUND' && <Resend mail={mail} />}
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
  const reason = whyNot(mail)
  if (!reason) return null
  return (
    <section className="flex gap-3 rounded-lg bg-warn-soft px-4 py-3.5" aria-label={t.messages.why.title}>
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
      <div className="space-y-0.5 wrap-anywhere">
        <h2 className="font-semibold">{t.messages.why.title}</h2>
        <p>{reason}</p>
        {mail.nextAttemptAt && (
          <p>
            {t.messages.nextTry}: <Time at={mail.nextAttemptAt} exact /> (<Time at={mail.nextAttemptAt} />)
          </p>
        )}
      </div>
    </section>
  )
}

/** Why a message did not arrive, in a sentence. */
export function whyNot({ status, error, complainedAt }: Mail): string | undefined {
  const said = (error ?? '').replace(/\.$/, '')
  if (status === 'COMPLAINED' || complainedAt) return t.messages.why.complained
  if (status === 'BOUNCED') return t.messages.why.bounced(said)
  if (status === 'PENDING' && error) return t.messages.why.waiting(said)
  if (status === 'SKIPPED') return t.messages.why.skipped(said)
  if (status !== 'FAILED') return undefined
  return said.startsWith('address is suppressed') ? t.messages.why.suppressed : t.messages.why.failed(said)
}
