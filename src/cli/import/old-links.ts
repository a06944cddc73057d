// Links in mail that the other program sent: they go on working once its host name points here.

import { normaliseEmail } from '../../lib/address'
import { findContactIds, updateContact } from '../../modules/audience/contacts'
import { findKnownRecipients, rememberOldLinks } from '../../modules/sending/redirects'
import type { Context } from '../../platform/context'
import type { Readable } from './read-record'
import type { ImportSource } from './record'
import { keepOrTakeBack } from './rehearsal'
import { type ImportReport, noteLost } from './report'

const linksAtATime = 500

/** None depends on another, so a dry run has nothing to remember. */
export async function applyLinks(
  ctx: Context,
  source: ImportSource,
  { projectId, isDryRun, report }: { projectId: string; isDryRun: boolean; report: ImportReport },
): Promise<void> {
  let links: Array<{ id: string; url: string }> = []
  const apply = async (): Promise<void> => {
    const page = links
    links = []
    const { added, leftOut } = await keepOrTakeBack(ctx, isDryRun, tx =>
      rememberOldLinks(tx, projectId, page),
    )
    report.oldLinks.pages += added
    for (const { id, url } of leftOut)
      noteLost(
        report,
        `tracked link ${id}`,
        `not taken: ${JSON.stringify(url.slice(0, 100))} is no web address`,
      )
  }
  for await (const link of source.links?.() ?? []) if (links.push(link) >= linksAtATime) await apply()
  if (links.length > 0) await apply()
}

// A person whose address changed between two runs, here or in the other program, known by what that program put into the person's links.

/**
 * The records, those of known people with the address that they have here from now on: where only the other program changed it, the contact
 * gets the new one; where it was changed here, the contact keeps it. If somebody here has the new address already, the record is theirs.
 */
export async function followRenamed(
  tx: Context,
  projectId: string,
  records: readonly Readable[],
): Promise<Readable[]> {
  const asked = records.flatMap(({ record, email }) =>
    record.oldToken ? [{ token: record.oldToken, email }] : [],
  )
  const known = await findKnownRecipients(tx, projectId, asked)
  if (known.size === 0) return [...records]
  const followed: Readable[] = []
  for (const readable of records) {
    const there = readable.record.oldToken ? known.get(readable.record.oldToken) : undefined
    followed.push(there ? await follow(tx, projectId, readable, there) : readable)
  }
  return followed
}

async function follow(
  tx: Context,
  projectId: string,
  readable: Readable,
  there: { contactId: string; email: string; changedHere: boolean },
): Promise<Readable> {
  if ((await findContactIds(tx, projectId, [readable.email])).length > 0) return readable
  if (there.changedHere)
    return { ...readable, email: there.email, entry: { ...readable.entry, email: there.email } }
  await updateContact(tx, projectId, there.contactId, { email: normaliseEmail(readable.email) })
  return readable
}
