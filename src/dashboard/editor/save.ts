// Saving what is edited, with its version, so that nobody overwrites what they have not seen.
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/error'
import type { Edited, Versioned } from './use-edited'

interface Server<T, S> {
  /** Changes what is stored; 409 where `expectedVersion` is not its version. */
  change: (value: T, expectedVersion: number) => Promise<S>
  load: () => Promise<S>
  read: (stored: S) => T
  /** Puts it where the page reads what is stored. */
  remember: (stored: S) => Promise<void>
}

export interface Saving<S> {
  /** Undefined where somebody else was quicker: then `theirs` is there to choose from. */
  save: () => Promise<S | undefined>
  theirs: S | undefined
  /** Saves over theirs. */
  keep: () => Promise<S | undefined>
  take: () => Promise<void>
  close: () => void
}

export function useSaving<T, S extends Versioned>(
  edited: Edited<T>,
  { change, load, read, remember }: Server<T, S>,
): Saving<S> {
  const [theirs, setTheirs] = useState<S>()
  const save = async (version = edited.version): Promise<S | undefined> => {
    const sent = edited.value
    try {
      const saved = await change(sent, version)
      edited.settle(sent, saved.version)
      await remember(saved)
      setTheirs(undefined)
      return saved
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.status !== 409) throw problem
      setTheirs(await load())
      return undefined
    }
  }
  const take = async (): Promise<void> => {
    if (theirs) {
      edited.adopt(read(theirs), theirs.version)
      await remember(theirs)
    }
    setTheirs(undefined)
  }
  return {
    save: () => save(),
    theirs,
    keep: () => save(theirs?.version),
    take,
    close: () => setTheirs(undefined),
  }
}

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
