// The content of the message: as its reader saw it on a wide and on a narrow screen, its text part, its HTML, and its headers and source
// as sent.
import { useState } from 'react'
import { t } from '../../texts'
import { CodeBlock } from '../../ui/copy'
import { GuardedMail, type LoadedImages, useLoadedImages } from '../../ui/mail/guarded'
import { Card, Empty } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { isOpen, type WholeMail } from './data'
import { Headers, Source } from './source'

const parts = ['html', 'phone', 'text', 'code', 'headers', 'source'] as const
type Part = (typeof parts)[number]

export function Content({ mail }: { mail: WholeMail }) {
  const [part, setPart] = useState<Part>('html')
  const images = useLoadedImages()
  const tabs = partsOf(mail).map(name => ({ name, label: t.messages.parts[name] }))
  return (
    <Card title={t.messages.content}>
      {mail.body === '' && mail.text === '' ? (
        <Missing mail={mail} />
      ) : (
        <Tabs label={t.messages.content} tabs={tabs} value={part} onChange={setPart}>
          <PartOf mail={mail} part={part} images={images} />
        </Tabs>
      )}
    </Card>
  )
}

/** Of inbound mail only the content is kept. */
function partsOf({ sourceType }: WholeMail): readonly Part[] {
  return sourceType === 'INBOUND' ? parts.slice(0, -2) : parts
}

function Missing({ mail }: { mail: WholeMail }) {
  const { contentGone, contentGoneHint, contentLater, contentLaterHint } = t.messages
  if (mail.campaignId && isOpen(mail.status)) return <Empty title={contentLater}>{contentLaterHint}</Empty>
  return <Empty title={contentGone}>{contentGoneHint}</Empty>
}

function PartOf({ mail, part, images }: { mail: WholeMail; part: Part; images: LoadedImages }) {
  switch (part) {
    case 'html':
      return <GuardedMail html={mail.body} title={mail.subject} images={images} />
    case 'phone':
      return <GuardedMail html={mail.body} title={mail.subject} images={images} width={375} />
    case 'text':
      return mail.text ? <CodeBlock code={mail.text} /> : <p className="text-quiet">{t.messages.noText}</p>
    case 'code':
      return <CodeBlock code={mail.body} />
    case 'headers':
      return <Headers mail={mail} />
    case 'source':
      return <Source mail={mail} />
  }
}
