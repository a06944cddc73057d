// A slash at the beginning of an empty line opens the list of blocks; what is typed after it narrows the list.
import type { Editor } from '@tiptap/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { popClass } from '../../ui/menu'
import type { Insertable } from './insert'

interface SlashMenuProps {
  editor: Editor
  choices: readonly Insertable[]
}

export function SlashMenu({ editor, choices }: SlashMenuProps) {
  const typed = typedOf(editor)
  const [chosen, setChosen] = useState({ typed, at: 0 })
  const [closed, setClosed] = useState(false)
  const latest = useRef({ chosen, closed, choices })
  latest.current = { chosen, closed, choices }
  useEffect(() => {
    if (typed === undefined) setClosed(false)
  }, [typed])
  useEffect(() => {
    // Somebody who types fast is ahead of what is drawn: the keys go by what stands in the line.
    const press = (event: KeyboardEvent): void => {
      const typedNow = typedOf(editor)
      const { chosen, closed, choices } = latest.current
      const found = matching(choices, typedNow)
      if (closed || found.length === 0) return
      const at = positionOf(chosen, typedNow)
      const columns = columnCount()
      const step = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step) setChosen({ typed: typedNow, at: (at + step + columns * found.length) % found.length })
      else if (event.key === 'Enter') put(editor, found[at]!)
      else if (event.key === 'Escape') setClosed(true)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    // Registered so that it runs before the editor's own handler.
    const { dom } = editor.view
    dom.addEventListener('keydown', press, true)
    return () => dom.removeEventListener('keydown', press, true)
  }, [editor])
  const found = matching(choices, typed)
  const at = positionOf(chosen, typed)
  const isOpen = !closed && found.length > 0
  if (!isOpen) return null
  const { left, bottom } = editor.view.coordsAtPos(editor.state.selection.from)
  return (
    <div
      role="listbox"
      aria-label={t.writing.add}
      className={classes(popClass, 'fixed grid max-h-80 w-[min(32rem,calc(100vw-1rem))] overflow-y-auto')}
      style={{
        gridTemplateColumns: `repeat(${columnCount()}, minmax(0, 1fr))`,
        left: Math.max(8, Math.min(left, innerWidth - 528)),
        top: Math.min(bottom + 6, innerHeight - 330),
      }}
    >
      {found.map((choice, index) => (
        <button
          key={choice.id}
          type="button"
          role="option"
          aria-selected={index === at}
          className="flex min-h-8 w-full min-w-0 items-center gap-2.5 max-md:min-h-11 rounded-md px-2.5 text-left aria-selected:bg-hover [&>svg]:size-4 [&>svg]:text-quiet"
          // The editor keeps the focus.
          onMouseDown={event => {
            event.preventDefault()
            put(editor, choice)
          }}
        >
          {choice.icon}
          <span className="truncate">{t.writing.blocks[choice.id]}</span>
        </button>
      ))}
    </div>
  )
}

/** The arrows move in the same grid. */
const columnCount = (): number => (innerWidth < 768 ? 2 : 3)

/** What the menu offers for the text after the slash: nothing where there is no slash. */
function matching(choices: readonly Insertable[], typed: string | undefined): readonly Insertable[] {
  if (typed === undefined) return []
  return choices.filter(({ id }) => t.writing.blocks[id].toLowerCase().includes(typed))
}

/** The chosen place in the list, which begins anew with each letter. */
function positionOf(chosen: { typed: string | undefined; at: number }, typed: string | undefined): number {
  return chosen.typed === typed ? chosen.at : 0
}

/** The text after the slash; undefined if there is no slash. */
function typedOf({ state: { selection } }: Editor): string | undefined {
  const { parent } = selection.$from
  if (!selection.empty || parent.type.name !== 'paragraph') return undefined
  return /^\/([\p{L}\p{N}]*)$/u.exec(parent.textContent)?.[1]?.toLowerCase()
}

function put(editor: Editor, choice: Insertable): void {
  const { $from } = editor.state.selection
  editor.chain().focus().deleteRange({ from: $from.start(), to: $from.end() }).run()
  choice.insert(editor)
}
