// Where a message is written, for templates and campaigns alike: three ways of writing on one side, the mail on the other.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { t } from '../texts'
import { classes } from '../ui/classes'
import { Confirm } from '../ui/confirm'
import { Skeleton } from '../ui/loading'
import { useRested } from '../ui/rested'
import { Tabs } from '../ui/tabs'
import { brokenPlace } from './check'
import { fieldNamesQuery, previewQuery } from './data'
import { MailPreview } from './preview'
import { bodyOf, changeWay, losesWords, type Way, type Writing, ways } from './writing'

const BlockEditor = lazy(() => import('./blocks/block-editor'))
const MarkdownEditor = lazy(() => import('./code/markdown-editor'))
const CodeEditor = lazy(() => import('./code/code-editor'))

interface WriterProps {
  value: Writing
  onChange: (value: Writing) => void
}

export function Writer({ value, onChange }: WriterProps) {
  const [asked, setAsked] = useState<Way>()
  const [side, setSide] = useState<'write' | 'preview'>('write')
  const body = useMemo(() => bodyOf(value), [value])
  const broken = useBrokenWords(value, body)
  const go = (way: Way): void => {
    if (way === value.way) return
    if (losesWords(value, way)) setAsked(way)
    else onChange(changeWay(value, way))
  }
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="-mb-4 xl:hidden">
        <Tabs
          label={t.writing.sides}
          tabs={(['write', 'preview'] as const).map(name => ({ name, label: t.writing.sideNames[name] }))}
          value={side}
          onChange={setSide}
        >
          {null}
        </Tabs>
      </div>
      <div className={classes('min-w-0', side === 'preview' && 'max-xl:hidden')}>
        <Tabs
          label={t.writing.ways}
          tabs={ways.map(name => ({ name, label: t.writing.wayNames[name] }))}
          value={value.way}
          onChange={go}
        >
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <EditorOf value={value} onChange={onChange} broken={broken} />
          </Suspense>
        </Tabs>
      </div>
      <div className={classes('min-w-0', side === 'write' && 'max-xl:hidden')}>
        <div className="xl:sticky xl:top-4">
          <MailPreview
            subject={value.subject}
            body={body || ' '}
            type={value.type}
            layoutId={value.layoutId}
            onWrite={() => setSide('write')}
          />
        </div>
      </div>
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t.writing.changeWay}
        consequence={t.writing.changeWayHint}
        action={asked ? t.writing.writeIn[asked] : ''}
        onConfirm={async () => asked && onChange(changeWay(value, asked))}
      />
    </div>
  )
}

/** The words in the body that can't be read, as the preview beside it was told. */
function useBrokenWords({ subject, type, layoutId }: Writing, body: string): string | undefined {
  const asked = useMemo(
    () => ({ subject, body: body || ' ', type, layoutId }),
    [subject, body, type, layoutId],
  )
  const shown = useRested(asked, 500)
  const { error } = useQuery(previewQuery(shown))
  const place = brokenPlace(error, shown)
  return place?.field === 'body' ? place.words : undefined
}

function EditorOf({ value, onChange, broken }: WriterProps & { broken: string | undefined }) {
  const { data: fields = [] } = useQuery(fieldNamesQuery)
  switch (value.way) {
    case 'blocks':
      return (
        <BlockEditor
          value={value.blocks}
          onChange={blocks => onChange({ ...value, blocks })}
          fields={fields}
          broken={broken}
        />
      )
    case 'markdown':
      return (
        <MarkdownEditor
          value={value.markdown}
          onChange={markdown => onChange({ ...value, markdown })}
          fields={fields}
        />
      )
    case 'source':
      return (
        <CodeEditor
          language="html"
          label={t.writing.wayNames.source}
          value={value.source}
          onChange={source => onChange({ ...value, source })}
          variables={[...fields, 'email', 'unsubscribeUrl', 'manageUrl', 'browserUrl']}
        />
      )
  }
}
