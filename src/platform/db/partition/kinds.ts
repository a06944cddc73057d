// The kind of job that looks after months.
import { minute } from '../../../lib/time'
import { chore, job } from '../../jobs/kind'

export const monthKinds = {
  /** Makes the coming months of tables that are split. */
  create: job('months.create', 'system', {}, { ...chore, timeLimitMs: 30 * minute, formerly: 'months.make' }),
}
