// One mail: its head, and its HTML or its text.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../texts'
import { Loaded } from '../../ui/loading'
import { MailFrame } from '../../ui/mail/frame'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { KindBadge } from './kind'
import { fetchMail, type ListedMail } from './mails'

const parts = ['html', 'text'] as const

export function Letter({ mail }: { mail: ListedMail }) {
  const [part, setPart] = useState<(typeof parts)[number]>('html')
  const query = useQuery({
    queryKey: ['outbox', mail.id],
    queryFn: ({ signal }) => fetchMail(mail, signal),
  })
  const tabs = parts.map(name => ({ name, label: t.outbox.parts[name] }))
  return (
    <div className="p-4 md:p-5">
      <Loaded query={query}>
        {({ subject, from, fromName, to, createdAt, body, text }) => (
          <article className="space-y-4">
            <header className="space-y-1">
              <h2 className="flex flex-wrap items-center gap-2 text-base font-semibold wrap-anywhere">
                {subject} <KindBadge kind={mail.kind} />
              </h2>
              <p className="text-quiet wrap-anywhere">
                {t.outbox.from(fromName ? `${fromName} <${from}>` : from)}
                <br />
                {t.outbox.to(to)} · <Time at={createdAt} exact />
              </p>
            </header>
            <Tabs label={subject} tabs={tabs} value={part} onChange={setPart}>
              {part === 'html' ? (
                <div className="overflow-hidden rounded-md border border-line bg-sunken">
                  <MailFrame html={body} title={subject} />
                </div>
              ) : (
                <pre className="font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere">{text}</pre>
              )}
            </Tabs>
          </article>
        )}
      </Loaded>
    </div>
  )
}
