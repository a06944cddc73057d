// Whether opens and clicks of a message are measured. Pure.

import type { Tracking } from '../../accounts/projects'
import type { SourceType } from './schema'

/** `own` is the choice of the request for this very message; null leaves it to the project's mode. */
export function isTracked(mode: Tracking, sourceType: SourceType, own: boolean | null = null): boolean {
  if (own !== null) return own
  switch (mode) {
    case 'ENABLED':
      return true
    case 'DISABLED':
      return false
    case 'MARKETING_ONLY':
      return sourceType !== 'TRANSACTIONAL'
  }
}
