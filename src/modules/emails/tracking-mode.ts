// Whether opens and clicks of a message are measured. Pure.

import type { Tracking } from '../projects'
import type { SourceType } from './schema'

/** `own` is what the request for this very message said; null if it said nothing, and then the project's mode decides. */
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
