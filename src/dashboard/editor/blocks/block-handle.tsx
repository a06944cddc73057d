// The handle beside a block: drag it to move the block, press it for what else can be done with it. Without a mouse, the same is in a menu.
import type { Editor } from '@tiptap/core'
import { ArrowDown, ArrowUp, Copy, GripVertical, Trash2 } from 'lucide-react'
import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Menu, type MenuEntry } from '../../ui/menu'
import { nameOf } from './insert'
import {
  blocksAt,
  canMove,
  deleteBlock,
  duplicateBlock,
  fitsAt,
  holdsBlocks,
  moveBlock,
  moveBlockTo,
  type Placed,
  selectBlock,
} from './moving'

export function blockEntries(editor: Editor, block: Placed): Array<MenuEntry | null> {
  const { writing } = t
  return [
    {
      label: writing.moveUp,
      icon: <ArrowUp aria-hidden />,
      disabled: !canMove(editor, block, -1),
      onSelect: () => void moveBlock(editor, block, -1),
    },
    {
      label: writing.moveDown,
      icon: <ArrowDown aria-hidden />,
      disabled: !canMove(editor, block, 1),
      onSelect: () => void moveBlock(editor, block, 1),
    },
    ...(block.node.type.name === 'slot' ? [] : replaceable(editor, block)),
  ]
}

/** Not for the content of a layout, which is always there once. */
function replaceable(editor: Editor, block: Placed): Array<MenuEntry | null> {
  return [
    {
      label: t.writing.duplicate,
      icon: <Copy aria-hidden />,
      onSelect: () => duplicateBlock(editor, block),
    },
    null,
    {
      label: t.words.delete,
      icon: <Trash2 aria-hidden />,
      danger: true,
      onSelect: () => deleteBlock(editor, block),
    },
  ]
}

interface BlockHandleProps {
  editor: Editor
  /** What the mail lies on: the handle is placed in it. */
  ground: RefObject<HTMLElement | null>
}

export function BlockHandle({ editor, ground }: BlockHandleProps) {
  const [isOpen, setOpen] = useState(false)
  const hovered = useHovered(editor, ground, isOpen)
  const block = hovered ?? blocksAt(editor.state).at(-1)
  const handle = useRef<HTMLDivElement>(null)
  // Measured whenever something is drawn; placing it draws nothing anew.
  useLayoutEffect(() => {
    const element = block && editor.view.nodeDOM(block.pos)
    if (!handle.current || !ground.current || !(element instanceof HTMLElement)) return
    const outer = ground.current.getBoundingClientRect()
    const sheet = editor.view.dom.getBoundingClientRect()
    const { top, left } = element.getBoundingClientRect()
    const isInside = left - sheet.left > 60
    handle.current.style.top = `${top - outer.top - 4}px`
    handle.current.style.left = `${(isInside ? left : sheet.left) - outer.left - (isInside ? 38 : 44)}px`
  })
  const { line, grab } = useDragging(editor, ground)
  if (!block) return null
  return (
    <>
      <div
        ref={handle}
        className="absolute z-10 hidden rounded-md border border-line bg-sheet shadow-pop @min-[690px]:block"
        onPointerDown={event => grab(event, block)}
        // The menu would open as soon as the button is held down, and it may be held to drag.
        onMouseDownCapture={event => event.stopPropagation()}
      >
        <Menu
          align="start"
          open={isOpen}
          onOpenChange={setOpen}
          trigger={
            <IconButton
              label={t.writing.handle(nameOf(block.node))}
              className="h-9 w-8 cursor-grab touch-none max-md:min-w-8"
              onClick={() => {
                selectBlock(editor, block)
                setOpen(true)
              }}
            >
              <GripVertical aria-hidden />
            </IconButton>
          }
          entries={blockEntries(editor, block)}
        />
      </div>
      <div
        ref={line}
        hidden
        aria-hidden
        className="pointer-events-none absolute z-20 h-1 rounded-full bg-accent"
      />
    </>
  )
}

/** The block that the mouse is over; that of the cursor counts again as soon as something is typed. */
function useHovered(
  editor: Editor,
  ground: RefObject<HTMLElement | null>,
  isHeld: boolean,
): Placed | undefined {
  const [pos, setPos] = useState<number>()
  const held = useRef(isHeld)
  held.current = isHeld
  useEffect(() => {
    const { current } = ground
    const move = (event: globalThis.PointerEvent): void => {
      if (event.pointerType !== 'mouse' || event.buttons !== 0 || held.current) return
      // Beside a block, on the way to its handle, nothing changes.
      setPos(old => blockUnder(editor, event.target) ?? old)
    }
    const leave = (): void => {
      if (!held.current) setPos(undefined)
    }
    const changed = ({ transaction }: { transaction: { docChanged: boolean } }): void => {
      if (transaction.docChanged) setPos(undefined)
    }
    editor.on('transaction', changed)
    current?.addEventListener('pointermove', move)
    current?.addEventListener('pointerleave', leave)
    return () => {
      editor.off('transaction', changed)
      current?.removeEventListener('pointermove', move)
      current?.removeEventListener('pointerleave', leave)
    }
  }, [editor, ground])
  const node = pos === undefined ? null : editor.state.doc.nodeAt(pos)
  return node && pos !== undefined ? { node, pos } : undefined
}

/** Where the innermost block begins that the element belongs to. */
function blockUnder({ view }: Editor, target: EventTarget | null): number | undefined {
  if (!(target instanceof Element) || !view.dom.contains(target) || target === view.dom) return undefined
  const $at = view.state.doc.resolve(view.posAtDOM(target, 0))
  const after = $at.nodeAfter
  if (after?.isBlock && holdsBlocks($at.parent) && view.nodeDOM($at.pos) === target) return $at.pos
  for (let { depth } = $at; depth > 0; depth--) if (holdsBlocks($at.node(depth - 1))) return $at.before(depth)
  return undefined
}

const startsAfter = 4
const edge = 80

function useDragging(editor: Editor, ground: RefObject<HTMLElement | null>) {
  const line = useRef<HTMLDivElement>(null)
  const grab = (down: PointerEvent, block: Placed): void => {
    const handle = down.currentTarget as HTMLElement
    // The menu is drawn elsewhere, but what is pressed in it comes by here.
    if (down.button !== 0 || !handle.contains(down.target as Element)) return
    const begun = down.clientY
    let target: number | undefined
    let isMoving = false
    const move = (event: globalThis.PointerEvent): void => {
      if (!isMoving && Math.abs(event.clientY - begun) < startsAfter) return
      if (!isMoving) {
        isMoving = true
        handle.setPointerCapture(event.pointerId)
        ground.current?.setAttribute('data-moving', '')
      }
      if (event.clientY < edge) scrollBy(0, -12)
      if (event.clientY > innerHeight - edge) scrollBy(0, 12)
      target = show(line.current, ground.current, dropAt(editor, block, event.clientX, event.clientY))
    }
    const end = (event: globalThis.PointerEvent): void => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
      removeEventListener('keydown', giveUp, true)
      ground.current?.removeAttribute('data-moving')
      if (line.current) line.current.hidden = true
      if (!isMoving) return
      // Letting go is no press of the button.
      addEventListener('click', stop, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', stop, { capture: true }))
      if (event.type === 'pointerup' && target !== undefined) moveBlockTo(editor, block, target)
    }
    const giveUp = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') end(new globalThis.PointerEvent('pointercancel'))
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
    addEventListener('keydown', giveUp, true)
  }
  return { line, grab }
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

interface Drop {
  target: number
  left: number
  top: number
  width: number
}

/** The gap between two blocks that is nearest to the pointer, in the column or section under it. */
function dropAt({ view, state }: Editor, block: Placed, x: number, y: number): Drop | undefined {
  const sheet = view.dom.getBoundingClientRect()
  const inside = Math.min(Math.max(x, sheet.left + 40), sheet.right - 40)
  const under = document
    .elementsFromPoint(inside, y)
    .map(each => each.closest<HTMLElement>('[data-column], [data-section], .mail-canvas'))
  for (const holder of [...under, view.dom]) {
    if (!holder || !view.dom.contains(holder)) continue
    const children = [...holder.children].filter(each => !each.classList.contains('ProseMirror-widget'))
    const next = children.findIndex(each => {
      const { top, height } = each.getBoundingClientRect()
      return y < top + height / 2
    })
    const index = next === -1 ? children.length : next
    const start = view.posAtDOM(holder, 0)
    const $start = state.doc.resolve(start)
    const target = index >= $start.parent.childCount ? $start.end() : $start.posAtIndex(index)
    if (!fitsAt(state.doc, block, target)) continue
    const before = children[index - 1]?.getBoundingClientRect()
    const after = children[index]?.getBoundingClientRect()
    const around = holder.getBoundingClientRect()
    const top =
      before && after ? (before.bottom + after.top) / 2 : (after?.top ?? before?.bottom ?? around.top)
    return { target, top, left: around.left, width: around.width }
  }
  return undefined
}

function show(
  line: HTMLElement | null,
  ground: HTMLElement | null,
  drop: Drop | undefined,
): number | undefined {
  if (!line || !ground) return undefined
  const outer = ground.getBoundingClientRect()
  line.hidden = !drop
  if (!drop) return undefined
  line.style.top = `${drop.top - outer.top - 2}px`
  line.style.left = `${drop.left - outer.left}px`
  line.style.width = `${drop.width}px`
  return drop.target
}
