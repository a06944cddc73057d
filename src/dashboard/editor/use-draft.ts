// A draft on a page: it stores itself a moment after the last change, and at once when the page is left in any way; what is not stored yet is
// kept in this browser. Ctrl+Z and Ctrl+Shift+Z go through the draft's own history, wherever the cursor is.
import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { pageAddress } from '../app/page-address'
import { mayWrite, useProject } from '../app/session'
import { keepHere } from '../ui/keep'
import { type Drafting, makeDraft } from './draft'
import type { DraftKind, DraftState, Keeping, KeptDraft, Versioned } from './draft-state'

export interface Drafted<T, S extends Versioned>
  extends DraftState<T, S>,
    Pick<
      Drafting<T, S>,
      Exclude<keyof Drafting<T, S>, 'state' | 'subscribe' | 'follow' | 'setLive' | 'leave'>
    > {}

interface Options<T, S extends Versioned> extends DraftKind<T, S> {
  /** What is edited, such as `campaign.<id>`. */
  name: string
  stored: S
  /** Whether it reaches people without another press; undefined while the page doesn't know. */
  live: boolean | undefined
}

export function useStoredDraft<T, S extends Versioned>(options: Options<T, S>): Drafted<T, S> {
  const { name, stored, live } = options
  const kind = useRef<DraftKind<T, S>>(options)
  kind.current = options
  const canWrite = mayWrite(useProject())
  const [draft] = useState(() => {
    const keeping = canWrite ? keepingOf<T>(name) : keepsNothing
    return makeDraft(() => kind.current, stored, { keeping, live })
  })
  const state = useSyncExternalStore(draft.subscribe, draft.state)
  useLayoutEffect(() => draft.follow(stored), [draft, stored])
  useLayoutEffect(() => draft.setLive(live), [draft, live])
  useLeaving(draft)
  // A viewer's draft never changes, so there is nothing to store.
  return { ...draft, ...state, ...(!canWrite && { change: () => undefined }) }
}

type Leavable = Pick<Drafting<unknown, Versioned>, 'leave' | 'retry'>

/** Stores the draft when the reader goes to another window, tab, or page, or closes this one. */
function useLeaving(draft: Leavable): void {
  useEffect(() => {
    const leave = (): void => draft.leave(false)
    const hide = (): void => draft.leave(true)
    addEventListener('blur', leave)
    addEventListener('pagehide', hide)
    addEventListener('online', draft.retry)
    document.addEventListener('visibilitychange', leave)
    return () => {
      removeEventListener('blur', leave)
      removeEventListener('pagehide', hide)
      removeEventListener('online', draft.retry)
      document.removeEventListener('visibilitychange', leave)
      leave()
    }
  }, [draft])
}

const nameOf = (name: string): string => `waxwing.draft.${pageAddress.projectId}.${name}`

/** The draft of another page that this browser keeps because it is not stored yet. */
export const keptDraft = <T>(name: string): T | undefined => readKept<T>(name)?.value

/** What this browser keeps of a draft that is not stored. */
function readKept<T>(name: string): KeptDraft<T> | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(nameOf(name)) ?? '') as KeptDraft<T>
    return kept.value === undefined ? undefined : kept
  } catch {
    return undefined
  }
}

/** For viewers. A draft that they wrote in an earlier role is neither shown nor deleted. */
const keepsNothing = { read: () => undefined, write: () => undefined, clear: () => undefined }

function keepingOf<T>(name: string): Keeping<T> {
  const key = nameOf(name)
  let written: string | undefined
  return {
    read: () => readKept<T>(name),
    write(kept: KeptDraft<T>): void {
      const text = JSON.stringify(kept)
      if (keepHere(key, text)) written = text
    },
    /** Leaves a draft that another tab has written since. */
    clear(): void {
      if (written === undefined || localStorage.getItem(key) === written) localStorage.removeItem(key)
    },
  }
}

/** What a page can take back, for editors that have buttons of their own for it. */
export interface DraftHistory {
  undo: () => unknown
  redo: () => unknown
  canUndo: boolean
  canRedo: boolean
}

export const HistoryContext = createContext<DraftHistory | undefined>(undefined)

export const useDraftHistory = (): DraftHistory | undefined => useContext(HistoryContext)

/** What has an undo of its own: dialogs, and fields beside the draft. */
const ownUndo = '[role=dialog], [data-own-undo]'

/** Ctrl+S stores; Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y go through the history. ⌘ is as good as Ctrl. */
export function useDraftKeys({ undo, redo }: Pick<DraftHistory, 'undo' | 'redo'>, save: () => unknown): void {
  const latest = useRef({ undo, redo, save })
  latest.current = { undo, redo, save }
  const canWrite = mayWrite(useProject())
  useEffect(() => {
    if (!canWrite) return
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const { target } = event
      const key = event.shiftKey ? `Shift+${event.key.toLowerCase()}` : event.key.toLowerCase()
      const act = ({ s: 'save', z: 'undo', 'Shift+z': 'redo', y: 'redo' } as const)[key]
      if (!act || (act !== 'save' && target instanceof Element && target.closest(ownUndo))) return
      event.preventDefault()
      // Before an editor that has a history of its own.
      event.stopPropagation()
      if (act !== 'save' || !event.repeat) latest.current[act]()
    }
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [canWrite])
}
