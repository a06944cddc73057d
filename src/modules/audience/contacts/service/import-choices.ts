// What a person chose for an import, as it reaches the contacts of one piece: what becomes of fields that are there, the agreement for the
// log of consent, and the segment.

import { normaliseEmail } from '../../../../lib/address'
import { AppError } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import type { ContactEntry } from '../entries'
import { listJoined } from '../hooks'
import { emptyPatch } from '../patch'
import type { HeldImport } from '../queries'
import type { ConsentOrigin, ExistingMode } from '../schema'
import type { FileRows, ImportedContact } from './import-apply'
import type { Agreement } from './import-topics'

interface Placed {
  entry: ContactEntry
}

/** What the log of consent says of those who agreed; nothing where nobody was asked. */
export function agreementOf({ options, filename }: HeldImport): Agreement {
  if (!options?.consentSource && !options?.consentDate) return {}
  return {
    ...(options.consentDate && { at: `${options.consentDate}T00:00:00Z` }),
    evidence: [options.consentSource, filename].filter(Boolean).join(' · '),
  }
}

/** The entries of a piece with the origin of each, as `importContacts` takes them. */
export function importEntries(
  held: HeldImport,
  importId: string,
  placed: readonly Placed[],
): [ContactEntry[], ConsentOrigin | undefined, FileRows | undefined] {
  const { options, origin } = held
  const entries = placed.map(({ entry }) => entry)
  if (!options) return [entries, origin ?? undefined, undefined]
  const agreement = agreementOf(held)
  const agreed = { ...origin, source: 'import' as const, ...agreement }
  const file = { importId, existing: options.existing, subscribes: options.subscribes }
  const withOrigin =
    Object.keys(agreement).length === 0
      ? entries
      : entries.map(entry => (entry.subscribed === false ? entry : { ...entry, origin: agreed }))
  return [firstOfEach(withOrigin, options.existing), origin ?? undefined, file]
}

/**
 * Where contacts that are there keep their fields, so do those that an earlier row of the same piece has made: what a file does must not
 * depend on where a piece of it ends.
 */
function firstOfEach(entries: readonly ContactEntry[], existing: ExistingMode): ContactEntry[] {
  if (existing === 'update') return [...entries]
  const seen = new Map<string, Set<string>>()
  return entries.map(entry => {
    const { patch = emptyPatch } = entry
    const key = normaliseEmail(entry.email)
    const before = seen.get(key)
    seen.set(key, new Set([...(before ?? []), ...Object.keys(patch.set)]))
    if (!before) return entry
    const left = Object.entries(patch.set).filter(([name]) => existing === 'fill' && !before.has(name))
    return { ...entry, patch: { ...patch, set: Object.fromEntries(left) } }
  })
}

const segmentGone = 'The segment of this import was deleted: contacts of later rows were not added to it'

/** Adds the contacts of a piece to the segment of the import, if it has one. What is wrong where that is no longer there: the rest of the file counts all the same. */
export async function addToSegment(
  tx: Context,
  projectId: string,
  segmentId: string | null | undefined,
  contacts: readonly ImportedContact[],
): Promise<string[]> {
  if (!segmentId || contacts.length === 0) return []
  const contactIds = [...new Set(contacts.map(({ contact }) => contact.id))]
  try {
    await callHook(tx, listJoined, { projectId, segmentId, contactIds })
    return []
  } catch (error) {
    // Thrown before anything is written, so the transaction is as good as before.
    if (error instanceof AppError && error.status < 500) return [segmentGone]
    throw error
  }
}
