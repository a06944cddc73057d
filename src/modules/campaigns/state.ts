// What may be done to a campaign in which state, and what is answered where it may not. The table that the service, the statements
// and the tests go by. Pure.
import { AppError } from '../../lib/errors'
import type { CampaignStatus } from './schema'

export type CampaignAction =
  | 'update'
  | 'changeSegment'
  | 'send'
  | 'cancel'
  | 'pause'
  | 'resume'
  | 'delete'
  | 'retry'

interface Rule {
  /** States in which it is allowed. */
  from: readonly CampaignStatus[]
  /** Whether it wants the campaign paused or not; undefined where that does not matter. */
  paused?: boolean
  message: string
  /** The status of the refusal; 400 unless said otherwise. */
  refusal?: (status: CampaignStatus) => 400 | 409
}

const conflicting = (): 409 => 409

export const rules: Readonly<Record<CampaignAction, Rule>> = {
  update: {
    from: ['DRAFT', 'SCHEDULED'],
    message: 'Cannot update campaign that is sending or has been sent',
  },
  changeSegment: { from: ['DRAFT'], message: 'Cannot change segment for scheduled campaigns' },
  send: {
    from: ['DRAFT', 'SCHEDULED'],
    message: 'Campaign has already been sent or is currently sending',
  },
  cancel: { from: ['SCHEDULED', 'SENDING'], message: 'Can only cancel scheduled or sending campaigns' },
  pause: {
    from: ['SENDING'],
    paused: false,
    message: 'Can only pause a campaign that is sending',
    refusal: conflicting,
  },
  resume: {
    from: ['SENDING'],
    paused: true,
    message: 'Can only resume a campaign that is paused',
    refusal: conflicting,
  },
  delete: {
    from: ['DRAFT'],
    message: 'Can only delete draft campaigns',
    refusal: status => (status === 'SCHEDULED' || status === 'SENDING' ? 409 : 400),
  },
  retry: {
    from: ['SENDING', 'SENT'],
    message: 'Can only retry a campaign that is sending or has been sent',
    refusal: conflicting,
  },
}

export interface CampaignState {
  status: CampaignStatus
  pausedAt: Date | null
}

export function isAllowed(action: CampaignAction, { status, pausedAt }: CampaignState): boolean {
  const { from, paused } = rules[action]
  return from.includes(status) && (paused === undefined || paused === (pausedAt !== null))
}

/** Throws where the state does not allow the action. */
export function requireAllowed(action: CampaignAction, state: CampaignState): void {
  if (isAllowed(action, state)) return
  const { message, refusal } = rules[action]
  const status = refusal?.(state.status) ?? 400
  throw new AppError(status, status === 409 ? 'CONFLICT' : 'BAD_REQUEST', message, {
    details: { status: state.status, paused: state.pausedAt !== null },
  })
}
