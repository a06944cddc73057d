// How long jobs of workflows wait for each other, to share a transaction.
import type { BatcherOptions } from '../../../lib/batcher'
import type { Context } from '../../../platform/context'

const crowd = 16
const waitMs = 100

/**
 * While many requests come, those that come shortly after others wait for a crowd, or a tenth of a second: nobody waits for a step of a
 * workflow, and few large transactions leave more of the event loop and the processors to those who wait for answers.
 */
export function withCompany({ requests }: Context): Pick<BatcherOptions, 'crowd' | 'freshMs' | 'staysFresh'> {
  return { crowd: () => (requests.comeOften() ? crowd : 1), freshMs: waitMs, staysFresh: true }
}
