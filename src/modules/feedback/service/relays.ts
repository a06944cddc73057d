// Webhooks of providers that serve as relays, checked in this order: whether any is expected, the size, who calls, and only then the content.
// There are no receipts: opens and clicks are not taken from here, and everything else changes nothing when it comes again.
import { badRequest, forbidden, notFound } from '../../../lib/errors'
import { bareMessageId } from '../../../mime/message-id'
import { type Context, inTransaction } from '../../../platform/context'
import type { RelayName } from '../../../platform/mail/relay-tags'
import { parseForeignJson } from '../foreign-json'
import { findByIds } from '../queries'
import { type RelayCall, type RelayReport, relays, reportsIn } from '../relays'
import type { DeliveryReport } from '../report'
import { applyOrAskAgain } from './apply'
import { findOwn, type ReportsAnswer } from './reports'

/** `read` returns the call, whose body stays unread where none is expected. 404 there, 403 for one that the provider did not make. */
export async function receiveRelayReports(
  ctx: Context,
  relay: RelayName,
  read: () => Promise<RelayCall>,
): Promise<ReportsAnswer> {
  const secret = ctx.config.relayWebhooks[relay]
  if (secret === undefined) throw notFound('Receiver', relay)
  const call = await read()
  if (!relays[relay].isGenuine(secret, call, ctx.clock.now()))
    throw forbidden('FORBIDDEN', 'The call is not proved to come from the provider', {
      suggestion: `Compare the secret of /webhooks/${relay} in the settings with that of the provider.`,
    })
  const value = parseForeignJson(new TextDecoder().decode(call.body))
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
  const own = await findOwn(
    ctx,
    reports.flatMap(({ messageId }) => messageId ?? []),
  )
  const byMessageId = new Map(own.map(mail => [mail.messageId, mail]))
  const found = reports.map(({ emailId, messageId, at, ...facts }): DeliveryReport | undefined => {
    const mail = emailId ? byId.get(emailId) : byMessageId.get(bareMessageId(messageId ?? ''))
    if (!mail) return undefined
    const names = { projectId: mail.projectId, emailId: mail.id }
    return { ...facts, ...names, at: at ?? ctx.clock.now(), source: 'webhook' }
  })
  const known = found.filter(report => report !== undefined)
  await inTransaction(ctx, tx => applyOrAskAgain(tx, known))
  const unknown = found.flatMap((report, position) => (report === undefined ? [position] : []))
  return { success: true, applied: known.length, unknown }
}
