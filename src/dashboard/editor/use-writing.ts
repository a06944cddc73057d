// A message that somebody edits, of a template or a layout.
import { useMemo } from 'react'
import { useProject } from '../app/session'
import { type Edited, useEdited, type Versioned } from './use-edited'
import { readWriting, type Writing, type Written } from './writing'

export type Stored = Written & Versioned

/** `key` says what is written, such as `template.<id>`; `stored` is the same object until it is read again. */
export function useWriting(key: string, stored: Stored): Edited<Writing> {
  const { language } = useProject()
  const read = useMemo(() => readWriting(stored, language), [stored, language])
  return useEdited(key, stored, read)
}
