// What can be set: of the selected block, and of the whole email. Beside the paper, or on a small screen in a sheet from below.
import type { Editor } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Select } from '../../ui/field'
import type { MailDocument } from '../mail/document'
import { nameOf } from './insert'
import { ColumnWidths } from './list-settings'
import { MailSettings } from './mail-settings'
import { blocksAt, selectBlock } from './moving'
import { type Setting, SettingField, settingsOf } from './settings'

export type PanelSubject = 'block' | 'mail'

interface PanelProps {
  editor: Editor
  value: MailDocument
  onChange: (value: MailDocument) => void
  fields: readonly string[]
  shown: PanelSubject
  onShow: (shown: PanelSubject) => void
}

export function Panel({ editor, value, onChange, fields, shown, onShow }: PanelProps) {
  const id = useId()
  const path = blocksAt(editor.state)
  const block = path.at(-1)
  const name = block ? nameOf(block.node) : t.writing.block
  return (
    <div className="min-w-0">
      <fieldset aria-label={t.writing.settings} className="flex gap-4 border-b border-line px-4">
        {(['block', 'mail'] as const).map(each => (
          <button
            key={each}
            type="button"
            aria-pressed={each === shown}
            aria-controls={id}
            disabled={each === 'block' && !block}
            className="-mb-px h-11 border-b-2 border-transparent text-[0.8125rem] text-quiet hover:text-ink disabled:opacity-50 aria-pressed:border-ink aria-pressed:font-medium aria-pressed:text-ink"
            onClick={() => onShow(each)}
          >
            {each === 'block' ? name : t.writing.email}
          </button>
        ))}
      </fieldset>
      <div id={id} className="space-y-4 p-4">
        {shown === 'mail' || !block ? (
          <MailSettings value={value} onChange={onChange} />
        ) : (
          <>
            {path.length > 1 && (
              <nav aria-label={t.writing.around} className="flex flex-wrap gap-x-1 text-xs text-quiet">
                {path.slice(0, -1).map(outer => (
                  <button
                    key={outer.pos}
                    type="button"
                    className="hover:text-ink max-md:min-h-11"
                    onClick={() => selectBlock(editor, outer)}
                  >
                    {nameOf(outer.node)} ›
                  </button>
                ))}
                <span>{name}</span>
              </nav>
            )}
            <Inline editor={editor} fields={fields} />
            {(block.node.type.name === 'paragraph' || block.node.type.name === 'heading') && (
              <TextStyle editor={editor} />
            )}
            {block.node.type.name === 'columns' && <ColumnWidths editor={editor} block={block} />}
            <Settings
              settings={settingsOf(block.node.type.name)}
              fields={fields}
              attrs={block.node.attrs}
              onChange={attrs => setAttributes(editor, block.pos, attrs)}
            />
          </>
        )}
      </div>
    </div>
  )
}

function TextStyle({ editor }: { editor: Editor }) {
  const id = useId()
  const level = [1, 2, 3].find(each => editor.isActive('heading', { level: each }))
  const change = (value: string): void => {
    if (value === '0') editor.chain().setNode('paragraph').run()
    else
      editor
        .chain()
        .setNode('heading', { level: Number(value) })
        .run()
  }
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-xs font-medium">
        {t.writing.textKind}
      </label>
      <Select
        id={id}
        value={level ?? 0}
        options={t.writing.textKinds.map((name, index) => [String(index), name])}
        onChange={change}
      />
    </div>
  )
}

/** What the cursor is in, within a text: a link or a variable. */
function Inline({ editor, fields }: { editor: Editor; fields: readonly string[] }) {
  const { selection } = editor.state
  if (selection instanceof NodeSelection && selection.node.type.name === 'variable')
    return (
      <Settings
        settings={settingsOf('variable')}
        fields={fields}
        attrs={selection.node.attrs}
        onChange={attrs => setAttributes(editor, selection.from, attrs)}
      />
    )
  if (!editor.isActive('link')) return null
  return (
    <Settings
      settings={settingsOf('link')}
      fields={fields}
      attrs={editor.getAttributes('link')}
      onChange={attrs =>
        editor
          .chain()
          .extendMarkRange('link')
          .setMark('link', attrs as never)
          .run()
      }
    />
  )
}

/** Without moving the selection: what is selected stays what the panel shows. */
function setAttributes(editor: Editor, pos: number, attrs: Record<string, unknown>): void {
  editor
    .chain()
    .command(({ tr }) => {
      for (const [name, value] of Object.entries(attrs)) tr.setNodeAttribute(pos, name, value)
      if (editor.state.selection instanceof NodeSelection && editor.state.selection.from === pos)
        tr.setSelection(NodeSelection.create(tr.doc, pos))
      return true
    })
    .run()
}

interface SettingsProps {
  settings: readonly Setting[]
  fields: readonly string[]
  attrs: Record<string, unknown>
  onChange: (attrs: Record<string, unknown>) => void
}

function Settings({ settings, fields, attrs, onChange }: SettingsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-3 empty:hidden">
      {settings.map(setting => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={attrs[setting.name]}
          fields={fields}
          onChange={value => onChange({ [setting.name]: value })}
        />
      ))}
    </div>
  )
}

interface SheetProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** Over the lower half of a small screen; what it is about stays in sight. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section
      ref={sheet}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      className="fixed inset-x-0 bottom-0 z-50 max-h-[55dvh] overflow-y-auto rounded-t-xl border-t border-line bg-raised shadow-pop outline-none"
      onKeyDown={event => event.key === 'Escape' && onClose()}
    >
      <IconButton label={t.words.close} className="sticky top-1 float-right mr-1" onClick={onClose}>
        <X aria-hidden />
      </IconButton>
      {children}
    </section>
  )
}
