// How many pixels at the lower edge the keyboard of a phone covers, where the browser lays it over the page.
import { useSyncExternalStore } from 'react'

function listen(listener: () => void): () => void {
  visualViewport?.addEventListener('resize', listener)
  visualViewport?.addEventListener('scroll', listener)
  return () => {
    visualViewport?.removeEventListener('resize', listener)
    visualViewport?.removeEventListener('scroll', listener)
  }
}

/** Zero while the page is zoomed in. */
function inset(): number {
  const seen = visualViewport
  if (seen?.scale !== 1) return 0
  return Math.max(0, Math.round(document.documentElement.clientHeight - seen.height - seen.offsetTop))
}

export const useKeyboardInset = (): number => useSyncExternalStore(listen, inset)
