// Whether there is room for more beside each other; for what can't be said with classes alone.
import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 64rem)')

function listen(listener: () => void): () => void {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** True from 1,024 pixels on. */
export function useIsWide(): boolean {
  return useSyncExternalStore(listen, () => wide.matches)
}
