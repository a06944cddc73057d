// The graph being edited: changes can be undone, and what is not saved survives a reload. It knows the revision at which it was read, so
// that saving can't overwrite what somebody else did meanwhile.
import { useCallback, useEffect, useReducer } from 'react'
import { pageAddress } from '../../app/page-address'
import { keepHere } from '../../ui/keep'
import type { Graph } from './graph'

export interface Read {
  revision: number
  graph: Graph
}

interface State {
  /** What the server has, as far as known. */
  base: Read
  past: Graph[]
  graph: Graph
  future: Graph[]
  /** Key of the last change: the next one with the same key belongs to the same undo step. */
  key?: string
}

type Action =
  | { kind: 'change'; graph: Graph; key?: string }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'base'; base: Partial<Read>; taken?: boolean }
  | { kind: 'saved'; base: Read; sent: Graph }

const maxSteps = 200

export function reduce(state: State, action: Action): State {
  const { past, graph, future } = state
  switch (action.kind) {
    case 'change': {
      const isSame = action.key !== undefined && action.key === state.key
      const kept = isSame ? past : [...past, graph].slice(-maxSteps)
      return { ...state, past: kept, graph: action.graph, future: [], key: action.key }
    }
    case 'undo': {
      const before = past.at(-1)
      return before
        ? { ...state, past: past.slice(0, -1), graph: before, future: [graph, ...future], key: undefined }
        : state
    }
    case 'redo': {
      const [next, ...rest] = future
      return next ? { ...state, past: [...past, graph], graph: next, future: rest, key: undefined } : state
    }
    case 'base': {
      const base = { ...state.base, ...action.base }
      return action.taken ? { base, past: [], graph: base.graph, future: [] } : { ...state, base }
    }
    case 'saved':
      // What was drawn while the request was under way stays, and is not saved yet.
      return {
        ...state,
        base: action.base,
        graph: isEqual(graph, action.sent) ? action.base.graph : graph,
        key: undefined,
      }
  }
}

const nameOf = (id: string): string => `waxwing.draft.${pageAddress.projectId}.workflow.${id}`

/** What somebody has drawn here without saving it. */
export function readDraft(id: string): Read | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameOf(id)) ?? '') as Read
  } catch {
    return undefined
  }
}

export function isEqual(a: Graph, b: Graph): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export interface Flow {
  graph: Graph
  revision: number
  isDirty: boolean
  change: (graph: Graph, key?: string) => void
  undo?: () => void
  redo?: () => void
  /** The server has this now; `taken` discards what was drawn here. */
  rebase: (base: Partial<Read>, taken?: boolean) => void
  /** The server has stored `sent`, and answers it as `base`. */
  saved: (base: Read, sent: Graph) => void
}

export function useFlow(id: string, read: Read): Flow {
  const [state, dispatch] = useReducer(reduce, undefined, () => {
    const draft = readDraft(id)
    return {
      base: draft ? { ...read, revision: draft.revision } : read,
      past: [],
      graph: draft?.graph ?? read.graph,
      future: [],
    }
  })
  const { base, graph, past, future } = state
  const isDirty = !isEqual(graph, base.graph)
  useEffect(() => {
    if (isDirty) keepHere(nameOf(id), JSON.stringify({ revision: base.revision, graph }))
    else localStorage.removeItem(nameOf(id))
  }, [id, isDirty, base.revision, graph])
  return {
    graph,
    revision: base.revision,
    isDirty,
    change: useCallback((next, key) => dispatch({ kind: 'change', graph: next, key }), []),
    rebase: useCallback((next, taken) => dispatch({ kind: 'base', base: next, taken }), []),
    saved: useCallback((next, sent) => dispatch({ kind: 'saved', base: next, sent }), []),
    ...(past.length > 0 ? { undo: () => dispatch({ kind: 'undo' }) } : {}),
    ...(future.length > 0 ? { redo: () => dispatch({ kind: 'redo' }) } : {}),
  }
}
