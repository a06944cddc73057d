// Saving what is written, with its version, so that nobody overwrites what they have not seen.
import { useState } from 'react'
import { ApiError } from '../api/error'
import type { Stored, WritingState } from './use-writing'
import { savedOf } from './writing'

export type SavedWriting = ReturnType<typeof savedOf>

interface Server {
  /** Changes what is stored; 409 where `expectedVersion` is not its version. */
  change: (body: SavedWriting & { expectedVersion: number }) => Promise<Stored>
  load: () => Promise<Stored>
}

export function useSaving(state: WritingState, { change, load }: Server) {
  const [theirs, setTheirs] = useState<Stored>()
  const save = async (version = state.version): Promise<Stored | undefined> => {
    try {
      const saved = await change({ ...savedOf(state.writing), expectedVersion: version })
      state.adopt(saved)
      setTheirs(undefined)
      return saved
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.status !== 409) throw problem
      setTheirs(await load())
      return undefined
    }
  }
  const take = (): void => {
    if (theirs) state.adopt(theirs)
    setTheirs(undefined)
  }
  return { save, theirs, keep: () => save(theirs?.version), take, close: () => setTheirs(undefined) }
}
