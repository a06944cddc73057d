// In which steps the rows of a file are applied. Rows about one address take effect one after another, wherever a batch ends: what
// the second says about consent may depend on what the first has done. One statement can't touch a contact twice, but rows that say the
// same are one, so a batch in which no address changes its mind is a single step, and no batch needs more than four. Pure.
import { normaliseEmail } from '../../../lib/address'
import type { ContactEntry } from './entries'

export interface IndexedEntry {
  entry: ContactEntry
  /** Its place in the batch. */
  index: number
}

type Word = 'silent' | 'yes' | 'no' | 'out'

interface Person {
  wave: number
  word: Word
  saidYes: boolean
  /** Has opted out by now, whatever it was before: nothing that follows changes that. */
  isOut: boolean
}

/** The entries in the steps to take, each with its place. */
export function importWaves(entries: readonly ContactEntry[]): IndexedEntry[][] {
  const waves: IndexedEntry[][] = []
  const people = new Map<string, Person>()
  for (const [index, entry] of entries.entries()) {
    const key = normaliseEmail(entry.email)
    const before = people.get(key)
    const person = follow(before, wordOf(entry))
    people.set(key, person)
    const placed = before?.isOut ? { email: entry.email, ...(entry.patch && { patch: entry.patch }) } : entry
    const wave = waves[person.wave]
    if (wave) wave.push({ entry: placed, index })
    else waves[person.wave] = [{ entry: placed, index }]
  }
  return waves
}

function wordOf({ subscribed, optedOutAt }: ContactEntry): Word {
  if (subscribed === undefined) return 'silent'
  if (subscribed) return 'yes'
  return optedOutAt ? 'out' : 'no'
}

function follow(before: Person | undefined, word: Word): Person {
  if (!before) return { wave: 0, word, saidYes: word === 'yes', isOut: word === 'out' }
  if (before.isOut || word === 'silent' || word === before.word) return before
  const saidYes = before.saidYes || word === 'yes'
  // A row that says nothing subscribes a new contact, and a yes makes no difference to that.
  if (before.word === 'silent' && word === 'yes') return { ...before, word, saidYes }
  const isOut = word === 'out' || (word === 'no' && saidYes)
  return { wave: before.wave + 1, word, saidYes, isOut }
}
