// The content of the message: as its reader saw it on a wide and on a narrow screen, its text part, its HTML, and its headers and source as
// sent.

import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { CodeBlock } from '../../ui/copy'
import { Loaded } from '../../ui/loading'
import { GuardedMail, type LoadedImages, useLoadedImages } from '../../ui/mail/guarded'
import { Card, Empty } from '../../ui/page'
import { saveFile } from '../../ui/save-file'
import { Tabs } from '../../ui/tabs'
import { isOpen, sourceQuery, type WholeMail } from './data'

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

/** A message as it left: its headers one by one, and the whole source. Loaded only when somebody opens it. */
export function Headers({ mail }: { mail: WholeMail }) {
  const query = useQuery(sourceQuery(mail))
  return (
    <Loaded query={query}>
      {source => (
        <>
          <Hint mail={mail} />
          <table className="w-full text-left text-[0.8125rem] max-sm:block">
            <caption className="sr-only">{t.messages.parts.headers}</caption>
            <tbody className="max-sm:block">
              {headersOf(source).map(({ name, value }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: headers may be there twice, and none ever moves.
                <tr key={index} className="border-line border-b last:border-0 max-sm:block max-sm:py-2">
                  <th
                    scope="row"
                    className="whitespace-nowrap py-2 pr-4 align-top font-medium max-sm:block max-sm:py-0"
                  >
                    {name}
                  </th>
                  <td className="py-2 font-mono wrap-anywhere max-sm:block max-sm:py-0">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Loaded>
  )
}

/** Files in Base64 may be megabytes, and nobody reads those. */
const maxShown = 100_000

export function Source({ mail }: { mail: WholeMail }) {
  const query = useQuery(sourceQuery(mail))
  return (
    <Loaded query={query}>
      {source => (
        <>
          <div className="flex items-start justify-between gap-3">
            <Hint mail={mail} />
            <Save name={`${mail.id}.eml`} source={source} />
          </div>
          <CodeBlock code={source.slice(0, maxShown)} whole={source} />
          {source.length > maxShown && <p className="mt-3 text-quiet">{t.messages.sourceCut}</p>}
        </>
      )}
    </Loaded>
  )
}

function Hint({ mail: { attempts } }: { mail: WholeMail }) {
  return <p className="mb-3 text-quiet">{attempts > 0 ? t.messages.sourceHint : t.messages.sourceBefore}</p>
}

function Save({ name, source }: { name: string; source: string }) {
  const save = (): void => saveFile(name, new Blob([source], { type: 'message/rfc822' }))
  return (
    <Button onClick={save} className="shrink-0">
      <Download aria-hidden /> {t.messages.saveSource}
    </Button>
  )
}

interface Header {
  name: string
  value: string
}

/** The headers, with folded lines joined. */
function headersOf(source: string): Header[] {
  const head = source.split('\r\n\r\n', 1)[0]!
  return head
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .map(line => {
      const colon = line.indexOf(':')
      return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
    })
}
