// What campaigns say to those who want to delete a segment.
import type { SegmentUser } from '../../segments/service'
import { countActiveNaming } from '../queries'

/** Drafts count as active: they would have nobody to be sent to. */
export const activeCampaigns: SegmentUser = { noun: 'active campaign(s)', count: countActiveNaming }
