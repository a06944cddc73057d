// What is typed and not saved yet, kept in the browser until it is saved or discarded: a reload loses nothing. For things without a version,
// such as segments, which a press saves; drafts that store themselves are in editor/use-draft.ts.
import { useCallback, useState } from 'react'
import { pageAddress } from '../app/page-address'
import { keepHere } from './keep'

/** `key` says what is drafted, such as `segment.<id>`. Undefined in storage means that there is no draft. */
export function useDraft<T>(
  key: string,
  initial: T,
): [draft: T, setDraft: (draft: T) => void, clear: () => void] {
  const name = `waxwing.draft.${pageAddress.projectId}.${key}`
  const [draft, setDraft] = useState<T>(() => read(name) ?? initial)
  const change = useCallback(
    (next: T) => {
      keepHere(name, JSON.stringify(next))
      setDraft(next)
    },
    [name],
  )
  const clear = useCallback(() => localStorage.removeItem(name), [name])
  return [draft, change, clear]
}

function read<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as T
  } catch {
    return undefined
  }
}

interface Changed {
  target: { value: string; checked?: boolean }
}

/** What ties fields of a form to members of a draft with the same names. */
export function fieldsOf<T extends object>(draft: T, change: (part: Partial<T>) => void) {
  const part = (name: keyof T, value: unknown) => change({ [name]: value } as Partial<T>)
  return {
    text: (name: keyof T & string) => ({
      name,
      value: draft[name] as string,
      onChange: ({ target }: Changed) => part(name, target.value),
    }),
    check: (name: keyof T & string) => ({
      name,
      checked: Boolean(draft[name]),
      onChange: ({ target }: Changed) => part(name, target.checked),
    }),
  }
}
