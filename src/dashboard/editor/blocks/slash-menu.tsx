// A slash at the beginning of an empty line opens the list of blocks; what is typed after it narrows the list.
import type { Editor } from '@tiptap/core'
import { useEffect, useState } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { popClass } from '../../ui/menu'
import type { Insertable } from './insert'

interface SlashMenuProps {
  editor: Editor
  choices: readonly Insertable[]
}

export function SlashMenu({ editor, choices }: SlashMenuProps) {
  const [at, setAt] = useState(0)
  const [closed, setClosed] = useState(false)
  const typed = typedOf(editor)
  const found = choices.filter(({ id }) => t.writing.blocks[id].toLowerCase().includes(typed ?? ''))
  const isOpen = typed !== undefined && !closed && found.length > 0
  useEffect(() => {
    setAt(0)
    if (typed === undefined) setClosed(false)
  }, [typed])
  useEffect(() => {
    if (!isOpen) return
    const choose = (event: KeyboardEvent): void => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) setAt(old => (old + step + found.length) % found.length)
      else if (event.key === 'Enter') put(editor, found[at]!)
      else if (event.key === 'Escape') setClosed(true)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    // Registered so that it runs before the editor's own handler.
    const { dom } = editor.view
    dom.addEventListener('keydown', choose, true)
    return () => dom.removeEventListener('keydown', choose, true)
  }, [editor, isOpen, found, at])
  if (!isOpen) return null
  const { left, bottom } = editor.view.coordsAtPos(editor.state.selection.from)
  return (
    <div
      role="listbox"
      aria-label={t.writing.add}
      className={classes(popClass, 'fixed max-h-72 overflow-y-auto')}
      style={{ left, top: Math.min(bottom + 6, innerHeight - 300) }}
    >
      {found.map((choice, index) => (
        <button
          key={choice.id}
          type="button"
          role="option"
          aria-selected={index === at}
          className="flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 text-left aria-selected:bg-hover [&>svg]:size-4 [&>svg]:text-quiet"
          // The editor keeps the focus.
          onMouseDown={event => {
            event.preventDefault()
            put(editor, choice)
          }}
        >
          {choice.icon}
          {t.writing.blocks[choice.id]}
        </button>
      ))}
    </div>
  )
}

/** The text after the slash; undefined if there is no slash. */
function typedOf({ state: { selection } }: Editor): string | undefined {
  const { parent } = selection.$from
  if (!selection.empty || parent.type.name !== 'paragraph') return undefined
  return /^\/(\w*)$/.exec(parent.textContent)?.[1]?.toLowerCase()
}

function put(editor: Editor, choice: Insertable): void {
  const { $from } = editor.state.selection
  editor.chain().focus().deleteRange({ from: $from.start(), to: $from.end() }).run()
  choice.insert(editor)
}
