// Inbound mail: whoever wrote becomes a contact of the project that holds the domain, and the mail becomes a row and an event. All of it
// happens in the transaction of its receipt.

import { asciiAddress, domainOf } from '../../../../lib/address'
import { type Context, newId } from '../../../../platform/context'
import { staysHere } from '../../../../platform/transports/relay-hosts'
import { upsertProjectContacts } from '../../../audience/contacts'
import { recordProjectEvents } from '../../../audience/events'
import { findExcesses, insertReceived, type ReceivedRow } from '../../emails'
import type { InboundMail } from '../inbound'
import { findHolders } from '../queries'

/** Only new contacts are subscribed, and only by mail whose sender is proved: writing does not opt anybody in again. */
export async function receiveMail(tx: Context, mail: InboundMail): Promise<void> {
  const destinations =
    mail.from === '' ? [] : await withinLimits(tx, await findDestinations(tx, mail.recipients))
  if (destinations.length === 0) return
  const { from: email, isProved: defaultSubscribed } = mail
  const origin = { source: 'inbound' as const }
  const entries = destinations.map(({ projectId }) => ({ projectId, email, defaultSubscribed, origin }))
  const contacts = await upsertProjectContacts(tx, entries)
  const rows = destinations.map(({ projectId, recipient }, at) =>
    newRow(tx, mail, { projectId, recipient, contactId: contacts[at]!.contact.id }),
  )
  await insertReceived(tx, rows)
  await recordProjectEvents(
    tx,
    rows.map(({ id, projectId, contactId, recipient }) => ({
      ...{ projectId, contactId, emailId: id, name: 'email.received' },
      data: { ...mail.facts, to: recipient, emailId: id },
    })),
  )
}

type Destination = Pick<ReceivedRow, 'projectId' | 'recipient'>

/** One destination for each recipient and project that holds its domain. */
async function findDestinations(tx: Context, recipients: readonly string[]): Promise<Destination[]> {
  const domainName = (address: string): string => domainOf(asciiAddress(address))
  // A sandbox domain is real only where mail stays on the machine.
  const withSandbox = staysHere(tx.config)
  const holders = await findHolders(tx, [...new Set(recipients.map(domainName))], withSandbox)
  return recipients.flatMap(recipient =>
    holders
      .filter(({ domain }) => domain === domainName(recipient))
      .map(({ projectId }) => ({ projectId, recipient })),
  )
}

/** Mail beyond the limit of a project is dropped for that project alone; only the log shows it. */
async function withinLimits(tx: Context, destinations: Destination[]): Promise<Destination[]> {
  const excesses = await findExcesses(
    tx,
    destinations.map(({ projectId }) => ({ projectId, sourceType: 'INBOUND', count: 1 })),
  )
  destinations.forEach(({ projectId }, at) => {
    if (excesses[at])
      tx.log.warn({ project: projectId }, 'mail that came in was dropped: billing limit reached')
  })
  return destinations.filter((_, at) => !excesses[at])
}

function newRow(
  tx: Context,
  mail: InboundMail,
  destination: Destination & { contactId: string },
): ReceivedRow {
  const { from: sender, subject, html, text, messageId, receivedAt } = mail
  return { id: newId(tx), ...destination, sender, subject, html, text, messageId, receivedAt }
}
