// The state of an editor: what is written, which version of the stored one it was made from, and what an earlier visit left unsaved.
import { useCallback, useEffect, useState } from 'react'
import { pageAddress } from '../app/page-address'
import { useProject } from '../app/session'
import { readWriting, type Writing, type Written } from './writing'

export interface Stored extends Written {
  version: number
}

interface Draft {
  writing: Writing
  /** The version that it was made from. */
  version: number
}

export interface WritingState {
  writing: Writing
  setWriting: (writing: Writing) => void
  /** The version that was read. */
  version: number
  /** Whether something is not saved. */
  isDirty: boolean
  /** Whether a draft was found in this browser and neither taken nor discarded yet. */
  offered: boolean
  takeOffer: () => void
  dropOffer: () => void
  /** The stored one has a new version, but nothing that is written here has changed. */
  rebase: (version: number) => void
  /** Continues from what is stored now. */
  adopt: (stored: Stored) => void
}

const restMs = 400

/** `key` says what is written, such as `template.<id>`. */
export function useWriting(key: string, stored: Stored): WritingState {
  const name = `waxwing.draft.${pageAddress.projectId}.${key}`
  const { language } = useProject()
  const [state, setState] = useState<Draft>({
    writing: readWriting(stored, language),
    version: stored.version,
  })
  const [saved, setSaved] = useState(state.writing)
  const [offer, setOffer] = useState(() => readDraft(name, state.writing))
  const isDirty = state.writing !== saved
  useEffect(() => {
    if (!isDirty) return
    const timer = setTimeout(() => localStorage.setItem(name, JSON.stringify(state)), restMs)
    return () => clearTimeout(timer)
  }, [isDirty, name, state])
  useEffect(() => {
    if (!isDirty) return
    const keep = (): void => localStorage.setItem(name, JSON.stringify(state))
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [isDirty, name, state])
  const dropOffer = (): void => {
    localStorage.removeItem(name)
    setOffer(undefined)
  }
  const adopt = useCallback(
    (next: Stored) => {
      const writing = readWriting(next, language)
      setState({ writing, version: next.version })
      setSaved(writing)
      setOffer(undefined)
      localStorage.removeItem(name)
    },
    [name, language],
  )
  return {
    ...state,
    setWriting: writing => setState(old => ({ ...old, writing })),
    isDirty,
    offered: offer !== undefined && !isDirty,
    takeOffer: () => {
      if (offer) setState({ ...offer, writing: { ...offer.writing, language } })
      setOffer(undefined)
    },
    dropOffer,
    rebase: version => setState(old => ({ ...old, version })),
    adopt,
  }
}

/** A draft that equals what is stored does not count. */
function readDraft(name: string, writing: Writing): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(name) ?? '') as Draft
    return JSON.stringify(draft.writing) === JSON.stringify(writing) ? undefined : draft
  } catch {
    return undefined
  }
}
