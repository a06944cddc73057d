// Where a message is written, for templates and campaigns alike: the paper as wide as it will be read, or in its place the preview.
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Eye, Pencil } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { ForWritersFields } from '../app/rights'
import { t } from '../texts'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'
import { Confirm } from '../ui/confirm'
import { Skeleton } from '../ui/loading'
import { Menu } from '../ui/menu'
import { useRested } from '../ui/rested'
import { Segmented } from '../ui/segmented'
import { useIsNarrow } from '../ui/use-media'
import { variablesOf } from './blocks/variables'
import { brokenPlace, readable } from './check'
import { fieldNamesQuery, layoutsQuery, previewQuery } from './data'
import { layoutWidth } from './mail/render'
import { MailPreview } from './preview'
import { bodyOf, changeFormat, type Format, losesWords, type Writing, writingFormats } from './writing'

const BlockEditor = lazy(() => import('./blocks/block-editor'))
const MarkdownEditor = lazy(() => import('./code/markdown-editor'))
const CodeEditor = lazy(() => import('./code/code-editor'))

export type Mode = 'write' | 'preview'

const modes = [
  { name: 'write', icon: <Pencil aria-hidden /> },
  { name: 'preview', icon: <Eye aria-hidden /> },
] as const

/** For the head of the page, which stays in view. */
export function ModeSwitch({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  const isNarrow = useIsNarrow()
  return (
    <Segmented
      label={t.writing.sides}
      segments={modes.map(({ name, icon }) => ({
        name,
        label: t.writing.sideNames[name],
        icon: isNarrow && icon,
      }))}
      value={mode}
      onChange={onMode}
    />
  )
}

interface WriterProps {
  value: Writing
  onChange: (value: Writing) => void
  mode: Mode
  onMode: (mode: Mode) => void
  /** Sender and subject: above the paper. */
  children: ReactNode
}

export function Writer({ value, onChange, mode, onMode, children }: WriterProps) {
  const [asked, setAsked] = useState<Format>()
  const body = useMemo(() => bodyOf(value), [value])
  const broken = useBroken(value, body)
  const go = (format: Format): void => {
    if (format === value.format) return
    if (losesWords(value, format)) setAsked(format)
    else onChange(changeFormat(value, format))
  }
  const switcher = (
    <Menu
      trigger={
        <Button variant="quiet" aria-label={`${t.writing.formats}: ${t.writing.formatNames[value.format]}`}>
          {t.writing.formatNames[value.format]} <ChevronDown aria-hidden />
        </Button>
      }
      entries={writingFormats.map(format => ({
        label: t.writing.formatNames[format],
        checked: format === value.format,
        onSelect: () => go(format),
      }))}
    />
  )
  return (
    <div className="-mx-4 -mt-4 md:-mx-8">
      {/* Kept while one looks at the preview: the cursor, what can be undone, and how far the page is scrolled. */}
      <div className={classes(mode === 'preview' && 'hidden')}>
        <Suspense fallback={<Skeleton className="mx-auto my-6 h-96 w-full max-w-[600px]" />}>
          <ForWritersFields>
            <EditorOf value={value} onChange={onChange} broken={broken} head={children} switcher={switcher} />
          </ForWritersFields>
        </Suspense>
      </div>
      {mode === 'preview' && (
        <MailPreview
          from={value.fromName || value.from}
          subject={value.subject}
          body={body || ' '}
          type={value.type}
          layoutId={value.layoutId}
          onWrite={() => onMode('write')}
        />
      )}
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t.writing.changeFormat}
        consequence={t.writing.changeFormatHint}
        action={asked ? t.writing.writeIn[asked] : ''}
        onConfirm={async () => asked && onChange(changeFormat(value, asked))}
      />
    </div>
  )
}

/** The words in the body that can't be read, as the server says of its preview, and a sentence about them. */
function useBroken({ subject, type, layoutId }: Writing, body: string): Broken | undefined {
  const asked = useMemo(
    () => ({ subject, body: body || ' ', type, layoutId }),
    [subject, body, type, layoutId],
  )
  const shown = useRested(asked, 500)
  const { error } = useQuery(previewQuery(shown))
  const place = brokenPlace(error, shown)
  return place?.field === 'body'
    ? { words: place.words, message: (readable(error, shown) as Error).message }
    : undefined
}

interface Broken {
  words: string
  message: string
}

interface EditorProps extends Pick<WriterProps, 'value' | 'onChange'> {
  broken: Broken | undefined
  head: ReactNode
  /** Changes the editor. */
  switcher: ReactNode
}

function EditorOf({ value, onChange, broken, head, switcher }: EditorProps) {
  const { data: fields = [] } = useQuery(fieldNamesQuery)
  const { data: layouts = [] } = useQuery(layoutsQuery)
  const layout = layouts.find(({ id }) => id === value.layoutId)
  if (value.format === 'blocks')
    return (
      <BlockEditor
        value={value.blocks}
        onChange={blocks => onChange({ ...value, blocks })}
        fields={fields}
        width={layoutWidth(layout?.body ?? '')}
        broken={broken}
        head={head}
        switcher={switcher}
      />
    )
  return (
    <div className="space-y-4 bg-sunken px-4 py-4 md:px-8">
      <div className="mx-auto max-w-[600px]">{head}</div>
      <div className="mx-auto max-w-4xl space-y-1">
        <div className="flex items-center justify-end gap-2">
          {broken && <p className="min-w-0 flex-1 text-bad wrap-anywhere">{broken.message}</p>}
          {switcher}
        </div>
        {value.format === 'markdown' ? (
          <MarkdownEditor
            value={value.markdown}
            onChange={markdown => onChange({ ...value, markdown })}
            fields={fields}
          />
        ) : (
          <CodeEditor
            language="html"
            label={t.writing.formatNames.source}
            value={value.source}
            onChange={source => onChange({ ...value, source })}
            variables={variablesOf(fields)}
          />
        )}
      </div>
    </div>
  )
}
