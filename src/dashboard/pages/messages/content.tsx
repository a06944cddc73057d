// What was in the message: as its reader saw it on a wide and on a narrow screen, its text part, its source and its headers.
import { useState } from 'react'
import { t } from '../../texts'
import { CodeBlock } from '../../ui/copy'
import { MailFrame } from '../../ui/mail/frame'
import { Card, Empty } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import type { WholeMail } from './data'

const parts = ['html', 'phone', 'text', 'source', 'headers'] as const
type Part = (typeof parts)[number]

export function Content({ mail }: { mail: WholeMail }) {
  const [part, setPart] = useState<Part>('html')
  const isGone = mail.body === '' && mail.text === ''
  const tabs = parts.map(name => ({ name, label: t.messages.parts[name] }))
  return (
    <Card title={t.messages.content}>
      {isGone ? (
        <Empty title={t.messages.contentGone}>{t.messages.contentGoneHint}</Empty>
      ) : (
        <Tabs label={t.messages.content} tabs={tabs} value={part} onChange={setPart}>
          <PartOf mail={mail} part={part} />
        </Tabs>
      )}
    </Card>
  )
}

function PartOf({ mail, part }: { mail: WholeMail; part: Part }) {
  switch (part) {
    case 'html':
      return <Framed mail={mail} />
    case 'phone':
      return <Framed mail={mail} width={375} />
    case 'text':
      return mail.text ? <CodeBlock code={mail.text} /> : <p className="text-quiet">{t.messages.noText}</p>
    case 'source':
      return <CodeBlock code={mail.body} />
    case 'headers':
      return <CodeBlock code={headersOf(mail)} />
  }
}

function Framed({ mail, width }: { mail: WholeMail; width?: number }) {
  return (
    <div
      className="mx-auto max-w-full overflow-hidden rounded-md border border-line bg-white"
      style={width ? { width } : {}}
    >
      <MailFrame html={mail.body} title={mail.subject} width={width} />
    </div>
  )
}

function headersOf({
  from,
  fromName,
  to,
  toName,
  replyTo,
  subject,
  messageId,
  createdAt,
  headers,
}: WholeMail): string {
  const named = (name: string | null, address: string): string => (name ? `${name} <${address}>` : address)
  const all: Array<[name: string, value: string | null]> = [
    ['From', named(fromName, from)],
    ['To', named(toName, to)],
    ['Reply-To', replyTo],
    ['Subject', subject],
    ['Date', new Date(createdAt).toUTCString()],
    ['Message-ID', messageId],
    ...Object.entries(headers),
  ]
  return all.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\n')
}
