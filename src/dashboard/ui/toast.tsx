// A short note at the edge of the page about something that has just happened. What must not be missed is shown in the page instead.
import { X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '../texts'
import { IconButton } from './button'
import { classes } from './classes'

interface Toast {
  id: number
  text: string
  /** Such as undoing it. */
  action?: { label: string; run: () => void }
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listen of listeners) listen()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const dismiss = (id: number): void => change(toasts.filter(each => each.id !== id))

export function toast(text: string, action?: Toast['action']): void {
  lastId++
  change([...toasts.slice(-2), { id: lastId, text, action }])
}

export function toastError(error: unknown): void {
  toast(error instanceof Error ? error.message : t.errors.unknown)
}

/** To be rendered once, at the end of the page. */
export function Toasts() {
  const shown = useSyncExternalStore(listen, () => toasts)
  const box = useRef<HTMLDivElement>(null)
  const corner = useFreeCorner(box, shown)
  return (
    <div
      ref={box}
      role="status"
      className={classes(
        'pointer-events-none fixed z-60 flex flex-col gap-2 max-md:inset-x-4',
        cornerClasses[corner],
      )}
    >
      {shown.map(each => (
        <ToastNote key={each.id} {...each} />
      ))}
    </div>
  )
}

const corners = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const
type Corner = (typeof corners)[number]

/** On phones a note is as wide as the screen, so there is no left and right. */
const cornerClasses: Record<Corner, string> = {
  'bottom-right': 'bottom-4 items-center md:right-4 md:items-end',
  'bottom-left': 'bottom-4 items-center md:left-56 md:items-start',
  'top-right': 'top-4 items-center md:right-4 md:items-end',
  'top-left': 'top-4 items-center md:left-56 md:items-start',
}

const edge = 16
/** On a wide screen the left corners are those beside the sidebar, whose last entry is the account. */
const sidebar = 224

/** The first corner in which notes cover no button that a page or a dialog is there for, also while one scrolls. */
function useFreeCorner(box: { current: HTMLElement | null }, shown: readonly Toast[]): Corner {
  const [corner, setCorner] = useState<Corner>(corners[0])
  useLayoutEffect(() => {
    if (shown.length === 0) return setCorner(corners[0])
    const place = (): void => {
      const { width = 0, height = 0 } = box.current?.getBoundingClientRect() ?? {}
      const isFree = (each: Corner): boolean => {
        const left = each.endsWith('left') && innerWidth >= 768 ? sidebar : innerWidth - edge - width
        const top = each.startsWith('top') ? edge : innerHeight - edge - height
        return !mainButtons().some(
          button =>
            button.left < left + width &&
            button.right > left &&
            button.top < top + height &&
            button.bottom > top,
        )
      }
      setCorner(corners.find(isFree) ?? corners[0])
    }
    place()
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [shown, box])
  return corner
}

function mainButtons(): DOMRect[] {
  const found = document.querySelectorAll('[data-variant=strong], [data-variant=danger]')
  return [...found].map(button => button.getBoundingClientRect())
}

function ToastNote({ id, text, action }: Toast) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), action ? 10_000 : 5_000)
    return () => clearTimeout(timer)
  }, [id, action])
  return (
    <div className="pointer-events-auto flex items-center gap-2 rounded-lg bg-strong py-1 pr-1 pl-4 text-on-strong shadow-pop">
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className="rounded-md px-2 py-1 font-semibold underline underline-offset-2"
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton
        label={t.words.close}
        onClick={() => dismiss(id)}
        className="text-on-strong enabled:hover:bg-strong-hover enabled:hover:text-on-strong"
      >
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
