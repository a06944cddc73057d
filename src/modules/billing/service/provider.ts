// The payment provider for a request: the documented answer where billing is off, and 503 where the provider does not answer.
import { AppError } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import type { PaymentProvider } from '../../../platform/payments/provider'

/** Throws 404 where billing is off. */
export function requireProvider({ payments }: Context): PaymentProvider {
  if (payments) return payments
  throw new AppError(404, 'RESOURCE_NOT_FOUND', 'Billing is not enabled on this instance')
}

/** The provider's errors may name accounts of the operator, so they go to the log only. */
export async function askProvider<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    ctx.log.error({ cause: String(cause) }, 'the payment provider refused or did not answer')
    throw new AppError(503, 'SERVICE_UNAVAILABLE', 'The payment provider could not be asked', {
      suggestion: 'Try again in a minute.',
      headers: { 'Retry-After': '60' },
      cause,
    })
  }
}
