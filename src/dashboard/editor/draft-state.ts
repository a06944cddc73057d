// A draft as pages see it, and what a page says about the kind of thing that is drafted.

export interface Versioned {
  version: number
}

/** What is said of a field, by its name. */
export type Missing = Readonly<Record<string, string>>

export interface StoreRequest {
  /** Of what was stored before. */
  version: number
  isPressed: boolean
  /** The page is being left for good: it will see no answer. */
  leaving: boolean
}

/** How a kind of thing is read and stored. */
export interface DraftKind<T, S extends Versioned> {
  read: (stored: S) => T
  /** What is stored of it: two drafts with the same are the same. */
  saved: (value: T) => unknown
  /** 409 if `version` isn't what is stored. `missing` names what could not be stored yet, and why; a press stores all or nothing. */
  store: (value: T, how: StoreRequest) => Promise<{ stored: S; missing?: Missing }>
  load: () => Promise<S>
  remember: (stored: S) => unknown
  /** Asks the server whether it reaches people without another press: then only a press stores. */
  isLive: () => Promise<boolean>
  /** The draft, where what was stored says more than what was sent. */
  settle?: (value: T, stored: S) => T
}

/** What this browser keeps of a draft until it is stored. */
export interface KeptDraft<T> {
  value: T
  version: number
  /** What was sent and not answered yet, the latest last. */
  sent?: readonly T[] | undefined
  /** An earlier one, which was offered while this was typed, and is still to be taken or discarded. */
  offer?: KeptDraft<T> | undefined
}

export interface Keeping<T> {
  read: () => KeptDraft<T> | undefined
  write: (kept: KeptDraft<T>) => void
  clear: () => void
}

export interface DraftClock {
  now: () => number
  /** Returns what takes it back. */
  after: (ms: number, then: () => void) => () => void
}

export const browserClock: DraftClock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
}

export interface DraftOptions<T> {
  keeping: Keeping<T>
  /** Undefined while the page doesn't know. */
  live: boolean | undefined
  clock?: DraftClock
}

export interface DraftState<T, S> {
  value: T
  /** The version that the next store starts from. */
  version: number
  isDirty: boolean
  busy: boolean
  /** Only a press stores it. */
  isLive: boolean
  /** When it was stored last, by this page. */
  savedAt: number | undefined
  isOffline: boolean
  /** Why it could not be stored; gone with the next change or try. */
  problem: unknown
  missing: Missing
  /** What another person stored meanwhile. */
  theirs: S | undefined
  /** Whether the dialog is open in which the reader chooses between both. */
  asks: boolean
  /** A draft of an earlier visit, made from another version than the stored one. Nothing is stored until the reader takes or discards it. */
  offer: KeptDraft<T> | undefined
  canUndo: boolean
  canRedo: boolean
}

/** As JSON, whichever order its members have: a database keeps one of its own. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )
}

/** Which member changed, and which of its own. */
export function pathOf(before: unknown, after: unknown, depth = 2): string {
  if (depth === 0 || !isObject(before) || !isObject(after)) return ''
  const changed = Object.keys({ ...before, ...after }).filter(name => before[name] !== after[name])
  if (changed.length !== 1) return changed.join()
  const [name = ''] = changed
  return `${name}.${pathOf(before[name], after[name], depth - 1)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
