// Storing a draft by a press: what is missing or refused is said at its field, which gets the focus, and is gone with the next change.
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../api/error'
import type { Missing, Versioned } from './draft-state'
import type { Drafted } from './use-draft'

interface Said<T> {
  of: T
  faults: Missing
  problem: unknown
}

interface Press<S> {
  faults: Readonly<Record<string, string>>
  problem: unknown
  /** Undefined if it is refused, and then the page says why. */
  store: () => Promise<S | undefined>
  keepMine: () => Promise<S | undefined>
}

export function usePress<T, S extends Versioned>(
  draft: Drafted<T, S>,
  missingOf: (value: T) => Missing,
  readable: (problem: unknown) => unknown = problem => problem,
  /** Shows the fields, if the page shows something else in their place. */
  lead?: () => void,
): Press<S> {
  const [said, setSaid] = useState<Said<T>>()
  const { value } = draft
  const say = (faults: Missing, problem?: unknown): undefined => {
    const fields = Object.keys(faults).map(name => document.getElementsByName(name)[0])
    // What is not drawn yet can't take the focus.
    flushSync(() => {
      lead?.()
      setSaid({ of: value, faults, problem: fields.every(field => field) ? undefined : problem })
    })
    fields.find(field => field)?.focus()
    return undefined
  }
  const press = async (work: () => Promise<S | undefined>): Promise<S | undefined> => {
    setSaid(undefined)
    const missing = missingOf(value)
    if (Object.keys(missing).length > 0) return say(missing)
    try {
      return await work()
    } catch (problem) {
      const faults = (problem instanceof ApiError && problem.about.faults) || []
      if (faults.length > 0)
        return say(Object.fromEntries(faults.map(({ field, message }) => [field, message])), problem)
      setSaid({ of: value, faults: {}, problem: readable(problem) })
      return undefined
    }
  }
  const current = said?.of === value ? said : undefined
  return {
    faults: current?.faults ?? {},
    problem: current?.problem,
    store: () => press(() => draft.store({ isPressed: true })),
    keepMine: () => press(draft.keepMine),
  }
}
