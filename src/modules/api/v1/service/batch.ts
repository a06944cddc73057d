// Several different messages in one request: each is judged, accepted and answered as if it had come alone, so that one faulty message
// costs the others nothing. Those that can share a transaction do, as sends that arrive together always do.
import { Value } from '@sinclair/typebox/value'
import { toEnvelope } from '../../../../http/errors'
import { refuseForeign } from '../../../../http/foreign-members'
import { mapError } from '../../../../http/map-error'
import { fieldErrors } from '../../../../http/validation'
import { invalid } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { foreignToSend } from '../foreign'
import { type AcceptedSend, type SendBody, sendBody } from '../model/bodies'
import type { SendService } from '.'
import type { SendingProject } from './prepare'

/** Whose messages they are, and under which key and id the request is remembered. */
export interface BatchOrigin {
  project: SendingProject
  key: string | undefined
  requestId: string
}

export type BatchResult =
  | { success: true; statusCode: 200; data: AcceptedSend }
  | { success: false; statusCode: number; error: Record<string, unknown> }

const refuseOthers = refuseForeign(foreignToSend, sendBody)

/** One answer per message, in their order. */
export async function sendBatch(
  ctx: Context,
  sender: SendService,
  origin: BatchOrigin,
  messages: readonly unknown[],
): Promise<BatchResult[]> {
  return await Promise.all(
    messages.map(async (message, index): Promise<BatchResult> => {
      try {
        const data = await sender.send(origin.project, readMessage(message), keyAt(origin.key, index))
        return { success: true, statusCode: 200, data }
      } catch (error) {
        return refused(ctx, origin, error)
      }
    }),
  )
}

/** A key applies to one place in the list: whoever sends the list again sends what was not accepted. */
function keyAt(key: string | undefined, index: number): string | undefined {
  return key === undefined ? undefined : `${key} [${index}]`
}

function readMessage(message: unknown): SendBody {
  refuseOthers({ body: message })
  if (!Value.Check(sendBody, message)) throw invalid(fieldErrors(Value.Errors(sendBody, message)))
  return message
}

function refused(ctx: Context, { requestId }: BatchOrigin, error: unknown): BatchResult {
  const mapped = mapError(error, '')
  if (mapped.status >= 500)
    ctx.log.error({ requestId, errorCode: mapped.code }, 'a message of a batch was not accepted')
  const { error: described } = toEnvelope(mapped, requestId, ctx.clock.now())
  return { success: false, statusCode: mapped.status, error: { ...described } }
}
