// The bar at the upper edge of the paper, or at the lower edge of a small screen: what is done to words, and what can be added. It has one
// line and one height, whatever is selected.
import type { Editor } from '@tiptap/core'
import { Bold, Braces, GripVertical, Italic, Link, Plus, Redo2, SlidersHorizontal, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { classes } from '../../ui/classes'
import { Menu } from '../../ui/menu'
import { blockEntries } from './block-handle'
import { type Insertable, nameOf } from './insert'
import { blocksAt } from './moving'
import { insertVariable, variableLabel, variablesOf } from './variables'

interface ToolbarProps {
  editor: Editor
  choices: readonly Insertable[]
  fields: readonly string[]
  /** On a small screen it has the settings of the block and its menu, too. */
  onSettings?: () => void
  /** Changes the editor. */
  switcher?: ReactNode
}

export function Toolbar({ editor, choices, fields, onSettings, switcher }: ToolbarProps) {
  const run = () => editor.chain().focus()
  const { writing } = t
  const block = blocksAt(editor.state).at(-1)
  return (
    <div
      role="toolbar"
      aria-label={writing.toolbar}
      className={classes(
        'flex h-12 items-center gap-0.5 overflow-x-auto px-1.5',
        onSettings && 'justify-between *:shrink-0 [&>button]:min-w-9',
      )}
    >
      {onSettings && (
        <>
          <Menu
            align="start"
            trigger={
              <IconButton
                label={block ? writing.handle(nameOf(block.node)) : writing.block}
                disabled={!block}
              >
                <GripVertical aria-hidden />
              </IconButton>
            }
            entries={block ? blockEntries(editor, block) : []}
          />
          <IconButton label={writing.settings} onClick={onSettings}>
            <SlidersHorizontal aria-hidden />
          </IconButton>
        </>
      )}
      <Menu
        align="start"
        trigger={
          onSettings ? (
            <IconButton label={writing.add}>
              <Plus aria-hidden />
            </IconButton>
          ) : (
            <Button variant="quiet">
              <Plus aria-hidden /> {writing.add}
            </Button>
          )
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
          onSettings ? (
            <IconButton label={writing.variable}>
              <Braces aria-hidden />
            </IconButton>
          ) : (
            <Button variant="quiet">
              <Braces aria-hidden /> {writing.variable}
            </Button>
          )
        }
        entries={variablesOf(fields).map(name => ({
          label: variableLabel(name),
          onSelect: () => insertVariable(editor, name),
        }))}
      />
      {!onSettings && <span className="mx-1 h-5 w-px bg-line" aria-hidden />}
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
      {!onSettings && <span className="flex-1" />}
      {switcher}
      <IconButton label={t.words.undo} onClick={() => run().undo().run()} disabled={!editor.can().undo()}>
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton label={t.words.redo} onClick={() => run().redo().run()} disabled={!editor.can().redo()}>
        <Redo2 aria-hidden />
      </IconButton>
    </div>
  )
}

interface ToggleProps {
  label: string
  isOn: boolean
  onClick: () => void
  children: ReactNode
}

function Toggle({ label, isOn, onClick, children }: ToggleProps) {
  return (
    <IconButton
      label={label}
      aria-pressed={isOn}
      className={isOn ? 'bg-hover text-ink' : undefined}
      onClick={onClick}
    >
      {children}
    </IconButton>
  )
}
