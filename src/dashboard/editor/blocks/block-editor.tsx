// Writing a mail in blocks: a sheet that looks like the mail, with a toolbar above it. Loaded when opened.
import { X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import type { Block, MailDocument } from '../mail/document'
import { insertables } from './insert'
import { Inspector } from './inspector'
import { SlashMenu } from './slash-menu'
import { ThemeBar } from './theme-bar'
import { Toolbar } from './toolbar'
import { useBlockEditor } from './use-editor'

interface BlockEditorProps {
  value: MailDocument
  onChange: (value: MailDocument) => void
  /** Names of custom fields of contacts. */
  fields: readonly string[]
  /** Words that can't be read: their block is marked. */
  broken: string | undefined
}

export default function BlockEditor({ value, onChange, fields, broken }: BlockEditorProps) {
  const canvas = useRef<HTMLDivElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<unknown>()
  const id = useId()
  const editor = useBlockEditor({
    element: canvas,
    doc: value.doc,
    label: t.writing.canvas,
    broken,
    onChange: (doc: Block) => onChange({ ...value, doc }),
    onFiles: files => void insertImages(files),
  })
  const insertImages = async (files: Iterable<File>): Promise<void> => {
    setError(undefined)
    try {
      for (const file of files) {
        const src = await upload(file)
        editor
          ?.chain()
          .focus()
          .insertContent({ type: 'image', attrs: { src, alt: '' } })
          .run()
      }
    } catch (problem) {
      setError(problem)
    }
  }
  const choices = insertables(() => chooser.current?.click())
  const { background, sheet, ink, accent, font } = value.theme
  return (
    <div className="overflow-clip rounded-lg border border-line bg-sheet">
      {editor && (
        <div className="sticky top-0 z-10 border-b border-line bg-sheet max-md:top-14">
          <Toolbar editor={editor} choices={choices} fields={fields} />
        </div>
      )}
      <input
        ref={chooser}
        id={id}
        type="file"
        accept={allowed.join(',')}
        aria-label={t.writing.blocks.image}
        className="hidden"
        onChange={event => {
          void insertImages([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <div
        className="mail-ground"
        data-font={font}
        style={
          {
            '--mail-ground': background,
            '--mail-sheet': sheet,
            '--mail-ink': ink,
            '--mail-accent': accent,
          } as React.CSSProperties
        }
      >
        <div ref={canvas} className="mail-sheet" />
      </div>
      {/* Over the lower edge of what is seen, and without a height: what is written stays where it is, and Tab leads here. */}
      <div className="sticky bottom-0 z-10 h-0">
        <div className="absolute inset-x-0 bottom-0 border-line bg-sheet shadow-pop not-empty:border-t">
          {error !== undefined && <Refused error={error} onClose={() => setError(undefined)} />}
          {editor && <Inspector editor={editor} fields={fields} />}
        </div>
      </div>
      {editor && <SlashMenu editor={editor} choices={choices} />}
      <ThemeBar value={value} onChange={onChange} />
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

const allowed = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** The server's own limit. */
const largest = 10 * 1024 ** 2

async function upload(file: File): Promise<string> {
  if (!allowed.includes(file.type)) throw new Error(t.writing.pictureType(file.name))
  if (file.size > largest) throw new Error(t.writing.pictureSize(file.name))
  const form = new FormData()
  form.set('image', file)
  const uploaded = await answer(
    api.POST('/uploads/image', { body: form as unknown as { image: string }, bodySerializer: body => body }),
  ).catch(problem => {
    throw inWords(problem, file)
  })
  return uploaded!.url
}

/** What the server finds where the browser trusts the name: its words are for programs. */
function inWords(problem: unknown, { name }: File): unknown {
  if (!(problem instanceof ApiError)) return problem
  const words = { 400: t.writing.pictureType, 413: t.writing.pictureSize, 403: t.writing.picturesFull }
  const say = words[problem.status as keyof typeof words]
  return say ? new Error(say(name)) : problem
}
