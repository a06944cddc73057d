// A short note at the edge of the page about something that has just happened. What must not be missed is shown in the page instead.
import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../texts'
import { IconButton } from './button'

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
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-center gap-2 md:items-end"
    >
      {shown.map(each => (
        <ToastNote key={each.id} {...each} />
      ))}
    </div>
  )
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
