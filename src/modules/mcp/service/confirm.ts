// Confirmations: made when a tool is called without one, and used once by the call that brings it back.
import { badRequest, conflict } from '../../../lib/errors'
import { after } from '../../../lib/time'
import { type Context, newId } from '../../../platform/context'
import {
  type Confirmed,
  confirmationLifeMs,
  confirmationText,
  readConfirmation,
  writeConfirmation,
} from '../confirmation'
import { takeConfirmation } from '../queries'

const purpose = 'mcp-confirmation'

export function makeConfirmation(ctx: Context, about: Confirmed): { text: string; expiresAt: Date } {
  const id = newId(ctx)
  const expiresAt = after(ctx.clock.now(), confirmationLifeMs)
  const signature = ctx.vault.sign(purpose, confirmationText(id, expiresAt, about))
  return { text: writeConfirmation({ id, expiresAt, signature }), expiresAt }
}

/** Uses it up before anything is done: whatever becomes of that, the next time takes another one. */
export async function requireConfirmation(ctx: Context, text: string, about: Confirmed): Promise<void> {
  const token = readConfirmation(text)
  const isGenuine =
    token !== undefined &&
    ctx.vault.verify(purpose, confirmationText(token.id, token.expiresAt, about), token.signature)
  if (!isGenuine)
    throw badRequest('The confirmation is not for this call', {
      suggestion:
        'It holds for the same key, tool and arguments, as long as what it is about stays as it was. Call the tool without it to get another.',
    })
  if (token.expiresAt <= ctx.clock.now())
    throw badRequest('The confirmation is over', { suggestion: 'Call the tool without it to get another.' })
  if (!(await takeConfirmation(ctx, about.projectId, token)))
    throw conflict('The confirmation was used already', {
      suggestion: 'Look whether it was done before you call the tool again.',
    })
}
