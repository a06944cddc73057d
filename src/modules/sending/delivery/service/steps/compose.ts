// Content: rendered by its source now, and made into MIME when it is handed over.
import type { Context } from '../../../../../platform/context'
import { type KeyRing, openAddresses, outgoingMessage } from '../../../emails'
import { type Delivery, type EmailStep, type Make, untried } from '../step'

export const makeCompose: Make<EmailStep> = () => async (delivery, batch) => {
  const outcome = await batch.compose(delivery)
  return outcome && untried(outcome)
}

/** For an email whose content is in its row. */
export function composeRow(ctx: Context, keys: KeyRing, delivery: Delivery): void {
  const { email, copies } = delivery
  delivery.message = async () => {
    const message = await outgoingMessage(ctx, keys, email)
    return copies
      ? {
          ...message,
          recipients: [...new Set([email.toEmail, ...openAddresses(copies)])] as [string, ...string[]],
        }
      : message
  }
}
