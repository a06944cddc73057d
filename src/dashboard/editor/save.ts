// Ctrl+S on a page.
import { useEffect, useRef } from 'react'

/** Ctrl+S and ⌘S, wherever the cursor is. */
export function useSaveKey(save: () => unknown): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        event.key.toLowerCase() !== 's'
      )
        return
      event.preventDefault()
      if (!event.repeat) latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
