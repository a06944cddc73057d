// A draft: what is being edited, its history, and storing it. One request is under way at a time, and each starts from the version that the
// one before answered. A version that this page did not store is another person's. Knows neither React nor the browser.
import { ApiError, isPassing } from '../api/error'
import { t } from '../texts'
import {
  browserClock,
  canonicalJson,
  type DraftKind,
  type DraftOptions,
  type DraftState,
  type KeptDraft,
  type Missing,
  pathOf,
  type StoreRequest,
  type Versioned,
} from './draft-state'
import { makeHistory } from './history'

const restMs = 800
/** A draft is stored at least this often while it is typed without a pause. */
const longestMs = 8_000
const retryMs = 10_000
/** How many drafts that were sent without an answer are remembered: one of them that is found stored is this page's own. */
const maxUnanswered = 10

export type Drafting<T, S extends Versioned> = ReturnType<typeof makeDraft<T, S>>

export function makeDraft<T, S extends Versioned>(
  kind: () => DraftKind<T, S>,
  first: S,
  { keeping, live, clock = browserClock }: DraftOptions<T>,
) {
  const listeners = new Set<() => void>()
  let known = live
  let base = first
  /** The draft that is stored; undefined if no draft is known to be, since some of it is missing or an answer was lost. */
  let clean: T | undefined = kind().read(first)
  const history = makeHistory<T>(clock.now)
  let dirtySince: number | undefined
  /** Drafts that were sent and not answered: if the server has one of them, this page stored it. */
  let unanswered: T[] = []
  let unplan: (() => void) | undefined
  let underway: Promise<unknown> | undefined
  /** Whether this browser keeps two drafts: the one that is shown, and the one that is offered. */
  let isBeside = false
  let state: DraftState<T, S> = {
    ...{ value: clean, version: first.version, isDirty: false, busy: false, isLive: live === true },
    ...{ savedAt: undefined, isOffline: false, problem: undefined, missing: {}, theirs: undefined },
    ...{ offer: undefined, asks: false, canUndo: false, canRedo: false },
  }

  const isSame = (a: T, b: T): boolean =>
    a === b || canonicalJson(kind().saved(a)) === canonicalJson(kind().saved(b))
  const set = (part: Partial<DraftState<T, S>>): void => {
    state = { ...state, ...part }
    state.isDirty = state.value !== clean
    state.canUndo = history.canUndo()
    state.canRedo = history.canRedo()
    for (const listen of listeners) listen()
  }
  const keep = (): void => {
    const { value, version, isDirty, offer } = state
    if (isDirty) keeping.write({ value, version, offer, sent: unanswered })
    else if (!offer) keeping.clear()
    else if (isBeside) keeping.write(offer)
    isBeside = isDirty && offer !== undefined
  }
  const plan = (ms: number): void => {
    unplan?.()
    unplan = clock.after(ms, () => void store())
  }
  const planNext = (): void => {
    dirtySince ??= clock.now()
    plan(Math.max(Math.min(restMs, dirtySince + longestMs - clock.now()), 0))
  }
  const show = (value: T): void => {
    set({ value, problem: undefined, missing: {} })
    keep()
    planNext()
  }
  const begin = (value: T, row: S): void => {
    base = row
    clean = value
    history.reset()
    unanswered = []
    unplan?.()
    set({ value, version: row.version, theirs: undefined, problem: undefined, missing: {}, asks: false })
    keep()
  }

  const settled = (sent: T, stored: S, missing: Missing): void => {
    unanswered = []
    base = stored
    const isWhole = Object.keys(missing).length === 0
    const settle = kind().settle ?? (value => value)
    const isLast = state.value === sent
    const value = isLast ? settle(sent, stored) : state.value
    clean = isWhole ? (isLast ? value : sent) : undefined
    dirtySince = undefined
    set({
      value,
      version: stored.version,
      missing,
      savedAt: clock.now(),
      isOffline: false,
      theirs: undefined,
    })
    keep()
    if (!isLast) planNext()
  }

  /** Sends what is shown; what another person has stored before is `theirs`. */
  const send = async (how: Omit<StoreRequest, 'version'>): Promise<S | undefined> => {
    const { value: sent, version } = state
    unanswered = [...unanswered.filter(each => each !== sent), sent].slice(-maxUnanswered)
    keep()
    try {
      const { stored, missing = {} } = await kind().store(sent, { ...how, version })
      settled(sent, stored, missing)
      await kind().remember(stored)
      return stored
    } catch (problem) {
      if (problem instanceof ApiError && problem.status === 409) return await meet(await kind().load(), how)
      if (!isPassing(problem)) unanswered = unanswered.filter(each => each !== sent)
      throw problem
    }
  }

  const meet = async (found: S, how: Omit<StoreRequest, 'version'>): Promise<S | undefined> => {
    const as = kind().read(found)
    if (found.version === state.version || !unanswered.some(each => isSame(each, as))) {
      set({ theirs: found, asks: how.isPressed })
      return undefined
    }
    unanswered = []
    if (isSame(state.value, as)) {
      settled(state.value, found, {})
      await kind().remember(found)
      return found
    }
    set({ version: found.version })
    return how.isPressed || !state.isLive ? await send(how) : undefined
  }

  const attempt = async ({ isPressed, leaving }: Omit<StoreRequest, 'version'>): Promise<S | undefined> => {
    set({ busy: true })
    try {
      // The page may have learned that it is live before the answer arrives.
      if (!isPressed && !leaving && ((await kind().isLive()) || state.isLive)) {
        set({ isLive: true })
        return undefined
      }
      return await send({ isPressed, leaving })
    } catch (problem) {
      if (isPassing(problem)) {
        plan(retryMs)
        clean = undefined
      }
      const isOffline = problem instanceof ApiError && problem.status === 0
      set({ isOffline, problem: isOffline ? undefined : problem })
      if (isPressed) throw problem
      return undefined
    } finally {
      set({ busy: false })
    }
  }

  /**
   * Stores what is shown, once the request before it is answered. Without a press it stores only a draft that reaches no contact by that.
   * Returns undefined if another person has stored before, if something is missing, and if a press is needed. A press is refused while a
   * draft is offered.
   */
  const store = async ({ isPressed = false, leaving = false } = {}): Promise<S | undefined> => {
    unplan?.()
    while (underway) await underway.catch(() => undefined)
    if (isPressed && state.offer) throw new Error(t.writing.draftOffered)
    if (!state.isDirty) return base
    if (state.offer || (!isPressed && (state.isLive || state.theirs))) return undefined
    const work = attempt({ isPressed, leaving })
    underway = work
    try {
      const stored = await work
      return Object.keys(state.missing).length > 0 ? undefined : stored
    } finally {
      underway = undefined
    }
  }

  /** Shows a step of the history, and returns it. */
  const move = (value: T | undefined): T | undefined => {
    if (value !== undefined) show(value)
    return value
  }

  /** The drafts of `kept` that are not stored yet. */
  const unstored = (kept: KeptDraft<T> | undefined): KeptDraft<T> | undefined => {
    const offer = kept && unstored(kept.offer)
    return kept && (isSame(kept.value, state.value) ? offer : { ...kept, offer })
  }
  const found = keeping.read()
  const kept = unstored(found)
  if (kept) {
    const { value, version, sent = [], offer } = kept
    if (version === first.version || sent.some(each => isSame(each, state.value))) {
      unanswered = [...sent]
      history.reset([state.value])
      if (sent.length > 0) clean = undefined
      isBeside = offer !== undefined
      set({ value, offer })
      planNext()
    } else set({ offer: kept })
  } else if (found) keeping.clear()

  return {
    subscribe(listen: () => void): () => void {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    state: () => state,
    /** Changes with the same key are one step of the history; without one, those of a field in quick succession. */
    change(change: (old: T) => T, key?: string): void {
      const value = change(state.value)
      if (value === state.value) return
      history.add(state.value, key ?? pathOf(state.value, value), { isKey: key !== undefined })
      show(value)
    },
    /** What is shown then. */
    undo: () => move(history.undo(state.value)),
    redo: () => move(history.redo(state.value)),
    /** Back to what is stored; Undo brings it back. */
    discard(): void {
      if (!state.isDirty) return
      history.addWhole(state.value)
      show(clean ?? kind().read(base))
    },
    store,
    /** What the page has read: older than what was stored here, or newer. */
    follow(row: S): void {
      const isNewer = row.version > state.version && row.version > base.version
      if (isNewer && !state.isDirty && !underway) begin(kind().read(row), row)
    },
    setLive(live: boolean | undefined): void {
      known = live ?? known
      const isLive = known === true
      if (isLive === state.isLive) return
      set({ isLive })
      if (!isLive && state.isDirty) planNext()
    },
    /** The version after a change that was made beside the draft, such as turning it on. */
    raise(row: S): void {
      base = row
      set({ version: row.version })
      keep()
    },
    /** Opens the choice between both, or closes it. */
    ask: (asks: boolean): void => set({ asks }),
    async take(): Promise<void> {
      const { theirs } = state
      if (!theirs) return
      begin(kind().read(theirs), theirs)
      await kind().remember(theirs)
    },
    /** Stores over theirs. */
    async keepMine(): Promise<S | undefined> {
      const { theirs } = state
      if (theirs) {
        base = theirs
        clean = kind().read(theirs)
        set({ version: theirs.version, theirs: undefined, asks: false })
      }
      return await store({ isPressed: true })
    },
    takeOffer(): void {
      const { offer } = state
      if (!offer) return
      history.addWhole(state.value)
      // It was made from another version: storing it asks.
      set({ offer: offer.offer, version: offer.version })
      show(offer.value)
    },
    dropOffer(): void {
      set({ offer: state.offer?.offer })
      keep()
      if (state.isDirty) planNext()
    },
    /** The page is left: by another page of this tab, or for good. */
    leave(isForGood: boolean): void {
      keep()
      // A page that closes can't ask the server whether storing reaches people: then the draft is kept in this browser only.
      if (isForGood && (underway || known === undefined)) return
      const waits = state.isLive || state.problem !== undefined || Object.keys(state.missing).length > 0
      if (state.isDirty && !waits) void store({ leaving: isForGood })
    },
    retry(): void {
      if (state.isDirty && state.isOffline) void store()
    },
  }
}
