// Whether the screen is wide or narrow; for what classes alone can't express.
import { useSyncExternalStore } from 'react'

const makeUse = (condition: string) => {
  const media = matchMedia(condition)
  const listen = (listener: () => void): (() => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return (): boolean => useSyncExternalStore(listen, () => media.matches)
}

/** True from 1,024 pixels on. */
export const useIsWide = makeUse('(min-width: 64rem)')
/** True from 1,280 pixels on, where the classes say `xl`. */
export const useHasSidePanel = makeUse('(min-width: 80rem)')
/** True below 768 pixels, where the classes say `max-md`. */
export const useIsNarrow = makeUse('(width < 48rem)')
