// The kinds of background work of domains. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { chore, idArgument, job } from '../../../platform/jobs/kind'

export const domainKinds = {
  /** Asks the DNS about a page of domains, and enqueues itself for the next page. */
  check: job('domain.check', 'system', { after: Type.Optional(idArgument) }, chore),
  /** Removes a domain that nobody claims any more from the provider's register. */
  release: job('domain.release', 'system', { domain: Type.String({ maxLength: 253 }) }),
  /** Drops pending claims of domains that are too old, and deletes keys that were replaced long ago. */
  prune: job('domain.prune', 'system', {}, { ...chore, formerly: 'domain.sweep' }),
}
