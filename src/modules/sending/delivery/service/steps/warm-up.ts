// The warm-up of a sender domain: marketing emails are sent while the day has room, transactional emails are always sent, and counted.
import { domainOf } from '../../../../../lib/address'
import { bookWarmUp, warmUpOf } from '../../../domains'
import { isOwnSimulator } from '../../../emails'
import { factsOf } from '../facts'
import { type BatchStep, type EmailStep, hasLeft, later, type Make } from '../step'
import { askLater, reserveInWarmUp, soon, tomorrow } from '../warm-up-budget'

/** For a batch, whose sender is known before it is taken. */
export const makeBatchWarmUp: Make<BatchStep> =
  ctx =>
  async ({ projectId, fromEmail }, count) => {
    const plan = fromEmail === undefined ? undefined : await warmUpOf(ctx, projectId, domainOf(fromEmail))
    if (plan === undefined) return undefined
    const { granted, release } = await bookWarmUp(ctx, plan, count)
    return { granted, nextAt: soon(ctx), release }
  }

/** For a single email. */
export const makeWarmUp: Make<EmailStep> =
  ctx =>
  async ({ email }, { fromEmail }) => {
    if (fromEmail !== undefined || isOwnSimulator(email.toEmail)) return undefined
    try {
      const plan = await warmUpOf(ctx, email.projectId, domainOf(email.fromEmail))
      if (plan === undefined) return undefined
      const end = await reserveInWarmUp(ctx, plan, factsOf(email).kind === 'transactional')
      if (!end) return later('warmUp', tomorrow(ctx))
      return async result => {
        await end(hasLeft(result))
        return undefined
      }
    } catch (error) {
      return later('warmUp', askLater(ctx, error))
    }
  }
