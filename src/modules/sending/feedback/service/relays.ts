// Webhooks of providers that serve as relays, checked in this order: whether any is expected, the size, who calls, and only then the content.
// There are no receipts: opens and clicks are not taken from here, and everything else changes nothing when it comes again.
import { badRequest, forbidden, notFound } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import type { RelayName } from '../../../../platform/transports/relay-tags'
import { parseForeignJson } from '../foreign-json'
import { findByIds } from '../queries'
import { type RelayReport, relays, reportsIn, type UnreadRelayCall } from '../relays'
import type { DeliveryReport } from '../report'
import { applyOrAskAgain } from './apply'
import { certain, findNamedMessages } from './named'
import type { ReportsAnswer } from './reports'
import { noteUnclear } from './returned'

/** The body stays unread where none is expected, or its headers prove nothing. 404 where none is, 403 for one that the provider did not make. */
export async function receiveRelayReports(
  ctx: Context,
  relay: RelayName,
  call: UnreadRelayCall,
): Promise<ReportsAnswer> {
  const secret = ctx.config.relayWebhooks[relay]
  if (secret === undefined) throw notFound('Receiver', relay)
  const adapter = relays[relay]
  const unproved = forbidden('FORBIDDEN', 'The call is not proved to come from the provider', {
    suggestion: `Compare the secret of /webhooks/${relay} in the settings with that of the provider.`,
  })
  if (adapter.mayBeGenuine?.(secret, call, ctx.clock.now()) === false) throw unproved
  const body = await call.read()
  if (!adapter.isGenuine(secret, { header: call.header, body }, ctx.clock.now())) throw unproved
  const value = parseForeignJson(new TextDecoder().decode(body))
  if (value === undefined) throw badRequest('The body is not JSON')
  return await apply(ctx, reportsIn(relays[relay], value))
}

/** Mail of other programs over the same account is accepted and ignored, like mail of the platform itself. */
async function apply(ctx: Context, reports: readonly RelayReport[]): Promise<ReportsAnswer> {
  const byId = new Map(
    (
      await findByIds(
        ctx,
        reports.flatMap(({ emailId }) => emailId ?? []),
      )
    ).map(mail => [mail.id, mail]),
  )
  const named = await findNamedMessages(
    ctx,
    reports.map(({ emailId, messageId, recipients }) => ({
      messageIds: messageId && !emailId ? [messageId] : [],
      recipients,
    })),
  )
  const found = reports.map(
    ({ emailId, messageId: _, at, ...facts }, position): DeliveryReport | undefined => {
      const mail = emailId ? byId.get(emailId) : certain(named[position])
      if (!mail) return undefined
      const names = { projectId: mail.projectId, emailId: mail.id }
      return { ...facts, ...names, at: at ?? ctx.clock.now(), source: 'webhook' }
    },
  )
  const known = found.filter(report => report !== undefined)
  await inTransaction(ctx, async tx => {
    await noteUnclear(tx, named)
    await applyOrAskAgain(tx, known)
  })
  const unknown = found.flatMap((report, position) => (report === undefined ? [position] : []))
  return { success: true, applied: known.length, unknown }
}
