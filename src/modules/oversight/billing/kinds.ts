// The kinds of background work of billing. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { second } from '../../../lib/time'
import { chore, idArgument, job } from '../../../platform/jobs/kind'

/** For reports of usage: ten attempts in about five hours, and then again until one arrives. */
const forHours = [5, 30, 120, 600, 1_800, 3_600].map(seconds => seconds * second)

export const billingKinds = {
  /** Cancels a subscription at the payment provider. */
  cancel: job(
    'billing.cancel',
    'system',
    { subscription: Type.String({ maxLength: 255 }) },
    { maxAttempts: 30 },
  ),
  /** Deletes old reports of usage and receipts. */
  clean: job('billing.clean', 'system', {}, chore),
  /** Puts what subscribers have used into reports, and retries those that did not arrive. */
  meter: job('billing.meter', 'system', {}, chore),
  /** Gives a customer at the payment provider the name of its project. */
  renameCustomer: job(
    'billing.renameCustomer',
    'system',
    { projectId: idArgument },
    { formerly: 'billing.name' },
  ),
  /** Sends one report to the payment provider. */
  report: job('billing.report', 'system', { reportId: idArgument }, { maxAttempts: 10, backoffMs: forHours }),
  /** Notifies members of projects that are near a limit of billing. */
  notifyLimits: job('billing.notifyLimits', 'system', {}, { ...chore, formerly: 'billing.warn' }),
}
