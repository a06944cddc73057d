// Writing a mail in blocks: a paper that looks like the mail, with a toolbar at its upper edge and a panel beside it. Loaded when opened.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { mayWrite, useProject } from '../../app/session'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { classes } from '../../ui/classes'
import { useHasSidePanel } from '../../ui/use-media'
import { brandQuery } from '../data'
import { inkOn } from '../mail/contrast'
import type { Block, MailDocument } from '../mail/document'
import { fontStack } from '../mail/fonts'
import { imageTypes, uploadImage } from '../upload-image'
import { BlockHandle } from './block-handle'
import { insertables } from './insert'
import { Panel, type PanelSubject, Sheet } from './panel'
import { SlashMenu } from './slash-menu'
import { Toolbar } from './toolbar'
import { useBlockEditor } from './use-editor'
import { useKeyboardInset } from './use-keyboard-inset'
import { withPlayButton } from './video-image'

interface BlockEditorProps {
  value: MailDocument
  onChange: (value: MailDocument) => void
  /** Names of custom fields of contacts. */
  fields: readonly string[]
  /** Of the paper, in pixels. */
  width: number
  /** Words that can't be read: their block is marked. */
  broken: { words: string; message: string } | undefined
  /** Above the paper. */
  head: ReactNode
  /** Changes the editor. */
  switcher: ReactNode
}

export default function BlockEditor({
  value,
  onChange,
  fields,
  width,
  broken,
  head,
  switcher,
}: BlockEditorProps) {
  const canvas = useRef<HTMLDivElement>(null)
  const ground = useRef<HTMLDivElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const chosen = useRef<'image' | 'video'>('image')
  const [error, setError] = useState<unknown>()
  const [shown, setShown] = useState<PanelSubject>('mail')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const hasSidePanel = useHasSidePanel()
  const { data: brand } = useQuery(brandQuery)
  const project = useProject()
  const canWrite = mayWrite(project)
  const id = useId()
  const editor = useBlockEditor({
    element: canvas,
    doc: value.doc,
    label: t.writing.canvas,
    isEditable: canWrite,
    broken: broken?.words,
    onChange: (doc: Block) => onChange({ ...value, doc }),
    onFiles: files => void insertImages(files),
  })
  useEffect(() => {
    const show = (): void => setShown('block')
    editor?.on('focus', show)
    return () => void editor?.off('focus', show)
  }, [editor])
  const insertImages = async (files: Iterable<File>, type: 'image' | 'video' = 'image'): Promise<void> => {
    setError(undefined)
    try {
      for (const file of files) {
        const src = await uploadImage(type === 'video' ? await withPlayButton(file) : file)
        editor
          ?.chain()
          .focus()
          .insertContent({ type, attrs: { src, alt: '', ...(type === 'video' ? { href: 'https://' } : {}) } })
          .run()
      }
    } catch (problem) {
      setError(problem)
    }
  }
  const choose = (type: 'image' | 'video'): void => {
    chosen.current = type
    chooser.current?.click()
  }
  const choices = insertables(choose)
  const { background, sheet, ink, accent, font, headingFont = font } = value.theme
  const panel = editor && (
    <Panel
      editor={editor}
      value={value}
      onChange={onChange}
      fields={fields}
      shown={shown}
      onShow={setShown}
    />
  )
  return (
    <div className={classes('grid', canWrite && 'xl:grid-cols-[minmax(0,1fr)_18rem]')}>
      <div
        ref={ground}
        className="@container relative min-w-0 bg-sunken"
        data-shown={shown}
        onPointerDown={({ target }) => {
          if (target instanceof Element && target.matches('.mail-ground')) setShown('mail')
        }}
      >
        <div className="mx-auto w-full max-w-[600px] py-4 max-md:pt-0 max-xl:pb-1">
          {head}
          {canWrite && !hasSidePanel && <div className="mt-1 flex justify-end">{switcher}</div>}
        </div>
        <input
          ref={chooser}
          id={id}
          type="file"
          accept={imageTypes.join(',')}
          aria-label={t.writing.blocks.image}
          className="hidden"
          onChange={event => {
            void insertImages([...(event.target.files ?? [])], chosen.current)
            event.target.value = ''
          }}
        />
        <div
          className="mail-ground"
          data-logo={brand?.logo ? '' : undefined}
          style={
            {
              '--mail-ground': background,
              '--mail-sheet': sheet,
              '--mail-ink': ink,
              '--mail-accent': accent,
              '--mail-on-accent': inkOn(accent),
              '--mail-font': fontStack(font),
              '--mail-heading-font': fontStack(headingFont),
              '--mail-width': `${width}px`,
              '--brand-name': JSON.stringify(project.name),
              '--brand-logo': brand?.logo ? `url(${JSON.stringify(brand.logo)})` : 'none',
              '--brand-logo-width': `${brand?.logoWidth ?? 160}px`,
            } as React.CSSProperties
          }
        >
          {editor && canWrite && hasSidePanel && (
            <div className="sticky top-14 z-10 mx-auto max-w-(--mail-width) border-b border-line bg-sheet">
              <Toolbar editor={editor} choices={choices} fields={fields} switcher={switcher} />
            </div>
          )}
          <div ref={canvas} className="mail-sheet" />
        </div>
        {editor && canWrite && <BlockHandle editor={editor} ground={ground} />}
        {/* Over the lower edge of what is seen, and without a height: what is written stays where it is. */}
        <LowerEdge>
          {error !== undefined && <Refused error={error} onClose={() => setError(undefined)} />}
          {broken && (
            <p role="status" className="bg-bad-soft px-4 py-2 wrap-anywhere">
              {broken.message}
            </p>
          )}
          {editor && canWrite && !hasSidePanel && (
            <Toolbar
              editor={editor}
              choices={choices}
              fields={fields}
              onSettings={() => setSheetOpen(true)}
            />
          )}
        </LowerEdge>
      </div>
      {canWrite && hasSidePanel ? (
        <aside aria-label={t.writing.settings} className="border-l border-line bg-ground">
          <div className="sticky top-14 max-h-[calc(100dvh-3.5rem)] overflow-y-auto">{panel}</div>
        </aside>
      ) : (
        isSheetOpen && (
          <Sheet title={t.writing.settings} onClose={() => setSheetOpen(false)}>
            {panel}
          </Sheet>
        )
      )}
      {editor && canWrite && <SlashMenu editor={editor} choices={choices} />}
    </div>
  )
}

/** On a phone, above the keyboard. */
function LowerEdge({ children }: { children: ReactNode }) {
  const inset = useKeyboardInset()
  return (
    <div className="sticky bottom-0 z-20" style={{ transform: `translateY(${-inset}px)` }}>
      <div className="border-line bg-sheet shadow-pop not-empty:border-t">{children}</div>
    </div>
  )
}

/** Where one is at work, and gone with the next try. */
function Refused({ error, onClose }: { error: unknown; onClose: () => void }) {
  return (
    <div role="alert" className="flex items-center gap-2 bg-bad-soft py-1 pr-1 pl-3.5">
      <p className="min-w-0 flex-1 wrap-anywhere">
        {error instanceof Error ? error.message : t.errors.unknown}
      </p>
      <IconButton label={t.words.close} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
