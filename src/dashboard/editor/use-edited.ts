// What somebody edits: it is what is stored until the first change, and from then on what is typed, with the version that it was made from.
// There is no copy of what is stored that could grow old, and no effect that keeps one up to date. What an earlier visit left unsaved is
// offered.
import { useEffect, useMemo, useRef, useState } from 'react'
import { pageAddress } from '../app/page-address'
import { useProject } from '../app/session'
import { readWriting, type Writing, type Written } from './writing'

export interface Versioned {
  version: number
}

interface Edit<T> {
  value: T
  /** The version that it was made from. */
  version: number
  /** It is stored as this version, and only shown until that is read. */
  savedAs?: number
}

export interface Edited<T> {
  value: T
  version: number
  /** Whether something is not saved. */
  isDirty: boolean
  change: (change: (old: T) => T) => void
  /** `sent` is stored as `version` now; what was typed since then is not. */
  settle: (sent: T, version: number) => void
  /** Continues from what somebody else stored. */
  adopt: (value: T, version: number) => void
  /** Whether a draft was found in this browser and neither taken nor discarded yet. */
  offered: boolean
  takeOffer: () => void
  dropOffer: () => void
}

const restMs = 400

/** `key` says what is edited, such as `template.<id>`; `read` is `stored` as it is edited, made once for each version. */
export function useEdited<T>(key: string, { version }: Versioned, read: T): Edited<T> {
  const name = `waxwing.draft.${pageAddress.projectId}.${key}`
  const [edit, setEdit] = useState<Edit<T>>()
  const [offer, setOffer] = useState(() => readKept<T>(name, read))
  const latest = useRef({ read, version })
  latest.current = { read, version }
  const shown = (from: Edit<T> | undefined): Edit<T> => {
    const isRead = from?.savedAs !== undefined && latest.current.version >= from.savedAs
    return from && !isRead ? from : { value: latest.current.read, version: latest.current.version }
  }
  const now = shown(edit)
  const unsaved = edit && edit.savedAs === undefined ? edit : undefined
  useKeeping(name, unsaved)
  const forget = (): void => localStorage.removeItem(name)
  return {
    value: now.value,
    version: now.version,
    isDirty: unsaved !== undefined,
    change: change =>
      setEdit(old => {
        const before = shown(old)
        const value = change(before.value)
        return value === before.value ? old : { value, version: before.version }
      }),
    settle(sent, savedAs) {
      setEdit(old => {
        if (old && old.value !== sent) return { value: old.value, version: savedAs }
        return { value: sent, version: savedAs, savedAs }
      })
      setOffer(undefined)
      forget()
    },
    adopt(value, savedAs) {
      setEdit({ value, version: savedAs, savedAs })
      setOffer(undefined)
      forget()
    },
    // Until one has chosen, also while one writes: it would be overwritten unseen, and what is below it would move.
    offered: offer !== undefined,
    takeOffer() {
      setEdit(offer)
      setOffer(undefined)
    },
    dropOffer() {
      setOffer(undefined)
      forget()
    },
  }
}

/** Keeps what is not saved in this browser: at the next pause, and whichever way the page is left. */
function useKeeping<T>(name: string, unsaved: Edit<T> | undefined): void {
  const latest = useRef(unsaved)
  latest.current = unsaved
  useEffect(() => {
    if (!unsaved) return
    const timer = setTimeout(() => keep(name, unsaved), restMs)
    return () => clearTimeout(timer)
  }, [name, unsaved])
  useEffect(() => {
    const leave = (): void => {
      if (latest.current) keep(name, latest.current)
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [name])
}

function keep<T>(name: string, edit: Edit<T>): void {
  localStorage.setItem(name, JSON.stringify(edit))
}

/** One that equals what is stored does not count. */
function readKept<T>(name: string, read: T): Edit<T> | undefined {
  try {
    const { value, version } = JSON.parse(localStorage.getItem(name) ?? '') as Edit<T>
    return value === undefined || JSON.stringify(value) === JSON.stringify(read)
      ? undefined
      : { value, version }
  } catch {
    return undefined
  }
}

export type Stored = Written & Versioned

/** The same for a message, of a template or a layout. `stored` is the same object until it is read again. */
export function useWriting(key: string, stored: Stored): Edited<Writing> {
  const { language } = useProject()
  const read = useMemo(() => readWriting(stored, language), [stored, language])
  return useEdited(key, stored, read)
}
