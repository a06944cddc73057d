// The bar above the sheet: formatting of text, and what can be inserted.
import type { Editor } from '@tiptap/core'
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Bold,
  Braces,
  Italic,
  Link,
  Plus,
  Redo2,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { Select } from '../../ui/field'
import { Menu } from '../../ui/menu'
import type { Insertable } from './insert'

interface ToolbarProps {
  editor: Editor
  choices: readonly Insertable[]
  fields: readonly string[]
}

export function Toolbar({ editor, choices, fields }: ToolbarProps) {
  const run = () => editor.chain().focus()
  const { writing } = t
  return (
    <div role="toolbar" aria-label={writing.toolbar} className="flex flex-wrap items-center gap-1 p-1.5">
      <Menu
        align="start"
        trigger={
          <Button look="quiet">
            <Plus aria-hidden /> {writing.add}
          </Button>
        }
        entries={choices.map(({ id, icon, insert }) => ({
          label: writing.blocks[id],
          icon,
          onSelect: () => insert(editor),
        }))}
      />
      <Menu
        align="start"
        trigger={
          <Button look="quiet">
            <Braces aria-hidden /> {writing.variable}
          </Button>
        }
        entries={variablesOf(fields).map(name => ({
          label: name,
          onSelect: () => run().insertContent({ type: 'variable', attrs: { name } }).run(),
        }))}
      />
      <Line />
      <TextKind editor={editor} />
      {[['bold', Bold] as const, ['italic', Italic] as const].map(([mark, Icon]) => (
        <Toggle
          key={mark}
          label={writing[mark]}
          isOn={editor.isActive(mark)}
          onClick={() => run().toggleMark(mark).run()}
        >
          <Icon aria-hidden />
        </Toggle>
      ))}
      <Toggle
        label={writing.link}
        isOn={editor.isActive('link')}
        onClick={() =>
          editor.isActive('link')
            ? run().extendMarkRange('link').unsetMark('link').run()
            : run().setMark('link', { href: 'https://' }).run()
        }
      >
        <Link aria-hidden />
      </Toggle>
      <Aligns editor={editor} />
      <Line />
      <IconButton label={t.words.undo} onClick={() => run().undo().run()} disabled={!editor.can().undo()}>
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton label={t.words.redo} onClick={() => run().redo().run()} disabled={!editor.can().redo()}>
        <Redo2 aria-hidden />
      </IconButton>
    </div>
  )
}

/** The fields that every contact has, and those of the project's contacts. */
export function variablesOf(fields: readonly string[]): string[] {
  return [...new Set([...fields, 'email', 'unsubscribeUrl', 'manageUrl', 'browserUrl'])]
}

function TextKind({ editor }: { editor: Editor }) {
  const level = [1, 2, 3].find(each => editor.isActive('heading', { level: each }))
  const change = (value: string): void => {
    const chain = editor.chain().focus()
    if (value === '0') chain.setNode('paragraph').run()
    else chain.setNode('heading', { level: Number(value) }).run()
  }
  return (
    <Select
      label={t.writing.textKind}
      className="max-w-40"
      value={level ?? 0}
      options={t.writing.textKinds.map((name, index) => [String(index), name])}
      onChange={change}
    />
  )
}

const alignable = ['paragraph', 'heading', 'image', 'button']

function Aligns({ editor }: { editor: Editor }) {
  const type = alignable.find(each => editor.isActive(each))
  const icons = { left: AlignLeft, center: AlignCenter, right: AlignRight }
  return (['left', 'center', 'right'] as const).map(align => {
    const Icon = icons[align]
    const isOn = type !== undefined && (editor.getAttributes(type)['align'] ?? 'left') === align
    return (
      <Toggle
        key={align}
        label={t.writing.aligns[align]}
        isOn={isOn}
        isOff={!type}
        onClick={() => type && editor.chain().focus().updateAttributes(type, { align }).run()}
      >
        <Icon aria-hidden />
      </Toggle>
    )
  })
}

interface ToggleProps {
  label: string
  isOn: boolean
  isOff?: boolean
  onClick: () => void
  children: ReactNode
}

function Toggle({ label, isOn, isOff, onClick, children }: ToggleProps) {
  return (
    <IconButton
      label={label}
      aria-pressed={isOn}
      disabled={isOff}
      className={isOn ? 'bg-hover text-ink' : undefined}
      onClick={onClick}
    >
      {children}
    </IconButton>
  )
}

function Line() {
  return <span className="mx-1 h-5 w-px bg-line max-md:hidden" aria-hidden />
}
