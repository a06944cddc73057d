// An inbox of everything that would have been sent, while no transport is set: nobody has to open files to see it.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft, Inbox } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { classes } from '../../ui/classes'
import { ErrorNote } from '../../ui/error-note'
import { Loaded, Loading } from '../../ui/loading'
import { GuardedMail, useLoadedImages } from '../../ui/mail/guarded'
import { MoreButton } from '../../ui/more-button'
import { Empty, Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { fetchMail, type ListedMail, useMails } from './mails'

const route = getRouteApi('/inside/outbox')

export function Outbox() {
  const { mail } = route.useSearch()
  const { query, others, mails } = useMails()
  const shown =
    mails.find(({ id }) => id === mail) ?? (mail === undefined ? mails[0] : { ...unlisted, id: mail })
  return (
    <Page title={t.outbox.title} description={t.outbox.hint}>
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
      {others.error && <ErrorNote error={others.error} onRetry={() => others.refetch()} />}
      {query.isPending && <Loading lines={6} />}
      {query.data && mails.length === 0 && (
        <Empty icon={<Inbox aria-hidden />} title={t.outbox.empty}>
          {t.outbox.emptyHint}
        </Empty>
      )}
      {mails.length > 0 && (
        <div className="overflow-hidden rounded-lg border border-line bg-sheet md:grid md:h-[calc(100dvh-14rem)] md:grid-cols-[20rem_minmax(0,1fr)]">
          <div className={classes('overflow-y-auto border-line md:border-r', mail && 'max-md:hidden')}>
            <MailList mails={mails} shown={shown?.id} />
            {query.hasNextPage && (
              <div className="p-3">
                <MoreButton query={query} className="w-full" />
              </div>
            )}
          </div>
          <div className={classes('min-w-0 overflow-y-auto', !mail && 'max-md:hidden')}>
            <Link to="/outbox" className="flex min-h-11 items-center gap-1 px-3 text-quiet md:hidden">
              <ChevronLeft className="size-4" aria-hidden />
              {t.outbox.title}
            </Link>
            {shown && <Letter key={shown.id} mail={shown} />}
          </div>
        </div>
      )}
    </Page>
  )
}

/** A message of the ledger that an address names and the list does not show yet. */
const unlisted = { to: '', subject: '', createdAt: '' }

function MailList({ mails, shown }: { mails: ListedMail[]; shown?: string }) {
  return (
    <ul className="divide-y divide-line">
      {mails.map(({ id, to, subject, createdAt, kind, status }) => (
        <li key={id}>
          <Link
            to="/outbox"
            search={{ mail: id }}
            aria-current={id === shown}
            className={classes('block space-y-0.5 px-4 py-3 hover:bg-hover', id === shown && 'md:bg-hover')}
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate font-medium">{to}</span>
              <span className="shrink-0 text-xs text-quiet">
                <Time at={createdAt} />
              </span>
            </span>
            <span className="flex items-center gap-2 text-quiet">
              <span className="truncate">{subject}</span>
              <MailBadge mail={{ kind, status }} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const parts = ['html', 'text'] as const

/** One mail: its head, and its HTML or its text. */
export function Letter({ mail }: { mail: ListedMail }) {
  const [part, setPart] = useState<(typeof parts)[number]>('html')
  const images = useLoadedImages()
  const query = useQuery({
    queryKey: ['outbox', mail.id],
    queryFn: ({ signal }) => fetchMail(mail, signal),
  })
  const tabs = parts.map(name => ({ name, label: t.outbox.parts[name] }))
  return (
    <div className="p-4 md:p-5">
      <Loaded query={query}>
        {({ subject, from, fromName, to, createdAt, body, text, status }) => (
          <article className="space-y-4">
            <header className="space-y-1">
              <h2 className="flex flex-wrap items-center gap-2 text-base font-semibold wrap-anywhere">
                {subject} <MailBadge mail={{ kind: mail.kind, status }} />
              </h2>
              <p className="text-quiet wrap-anywhere">
                {t.outbox.from(fromName ? `${fromName} <${from}>` : from)}
                <br />
                {t.outbox.to(to)} · <Time at={createdAt} exact />
              </p>
            </header>
            {body === '' && text === '' ? (
              <Unwritten status={status} />
            ) : (
              <Tabs label={subject} tabs={tabs} value={part} onChange={setPart}>
                {part === 'html' ? (
                  <GuardedMail html={body} title={subject} images={images} />
                ) : (
                  <pre className="font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere">{text}</pre>
                )}
              </Tabs>
            )}
          </article>
        )}
      </Loaded>
    </div>
  )
}

/** A campaign writes each message when its turn comes: who waits for the winner of an A/B test has none yet. */
function Unwritten({ status }: { status: string | undefined }) {
  const { contentGone, contentGoneHint, contentLater, contentLaterHint } = t.messages
  if (status === 'PENDING' || status === 'SENDING')
    return <Empty title={contentLater}>{contentLaterHint}</Empty>
  return <Empty title={contentGone}>{contentGoneHint}</Empty>
}

/** These are what the page is about, so nothing is said of them. */
const isOut: ReadonlySet<string> = new Set(['SENT', 'DELIVERED', 'OPENED', 'CLICKED'])

/** What a mail in the outbox is, where it is none of the email log; and what became of it, where it is not out. */
export function MailBadge({ mail: { kind, status } }: { mail: Pick<ListedMail, 'kind' | 'status'> }) {
  if (kind !== undefined) return <Badge>{t.outbox.kinds[kind]}</Badge>
  if (status === undefined || isOut.has(status)) return null
  const isOpen = status === 'PENDING' || status === 'SENDING'
  return <Badge tone={isOpen ? 'warn' : 'bad'}>{t.messages.statuses[status] ?? status}</Badge>
}
