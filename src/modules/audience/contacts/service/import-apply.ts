// The one rule of consent for whatever comes from a file or another program: it subscribes those who are new or were never asked, but nobody
// who opted out or is taking a break, whatever it says; what it says against writing to somebody always counts.
import { type Context, inTransaction } from '../../../../platform/context'
import { changeReasons } from '../../events'
import type { ContactEntry } from '../entries'
import { importWaves } from '../import-waves'
import type { ImportedRows } from '../queries'
import type { ConsentOrigin } from '../schema'
import { type UpsertedContact, upsertContacts } from './upsert'

export interface ImportedContact extends UpsertedContact {
  /** The row says yes, and the contact opted out or is taking a break: it keeps its state. */
  isLeftOut: boolean
}

/** Of a file whose import can be undone: which import it is, and what it does to contacts that are there, and that say nothing. */
export interface FileRows extends ImportedRows {
  subscribes: boolean
}

/** Applies the rows of a file and returns one contact for each, in their order; a later row of an address sees what an earlier did. */
export async function importContacts(
  ctx: Context,
  projectId: string,
  entries: readonly ContactEntry[],
  origin: ConsentOrigin = { source: 'import' },
  file?: FileRows,
): Promise<ImportedContact[]> {
  return inTransaction(ctx, async tx => {
    const now = tx.clock.now()
    const imported: ImportedContact[] = []
    for (const wave of importWaves(entries.map(entry => upTo(now, entry)))) {
      const results = await upsertContacts(
        tx,
        projectId,
        wave.map(({ entry }) => ({ ...entry, keepsOptOuts: true, origin: { ...origin, ...entry.origin } })),
        {
          defaultSubscribed: file?.subscribes ?? true,
          reason: changeReasons.import,
          ...(file && { imported: file }),
        },
      )
      for (const [at, { index }] of wave.entries()) {
        const result = results[at]!
        const isLeftOut = entries[index]!.subscribed === true && !result.contact.subscribed
        imported[index] = { ...result, isLeftOut }
      }
    }
    return imported
  })
}

/** Nobody opts out in the future, and a break that is over says nothing any more. */
function upTo(now: Date, given: ContactEntry): ContactEntry {
  const { snoozedUntil, ...entry } = given
  if (snoozedUntil && snoozedUntil <= now) return { ...entry, subscribed: undefined }
  if (snoozedUntil) return { ...entry, keepsSnoozes: true }
  return entry.optedOutAt && entry.optedOutAt > now ? { ...entry, optedOutAt: now } : entry
}
