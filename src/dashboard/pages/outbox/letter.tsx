// One mail: its head, and its HTML or its text.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../texts'
import { Loaded } from '../../ui/loading'
import { GuardedMail, useLoadedImages } from '../../ui/mail/guarded'
import { Empty } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { MailBadge } from './kind'
import { fetchMail, type ListedMail } from './mails'

const parts = ['html', 'text'] as const

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
