// What may be done to a campaign in which state, and the answer where it may not: the table that the service, the statements and the
// tests follow. Pure.
import { AppError } from '../../../lib/errors'
import type { CampaignStatus } from './schema'

export type CampaignAction =
  | 'update'
  | 'changeSegment'
  | 'send'
  | 'unschedule'
  | 'cancel'
  | 'pause'
  | 'interrupt'
  | 'resume'
  | 'recover'
  | 'delete'
  | 'retry'
  | 'decide'

/**
 * What a rule may ask of the pause: none, any, one that ends by itself (`probeAt` is set), or that it is not one that lasts until a
 * person ends it.
 */
export type PauseRule = 'none' | 'any' | 'temporary' | 'notLasting'

interface Rule {
  /** States in which it is allowed. */
  from: readonly CampaignStatus[]
  /** Undefined if a pause does not matter. */
  pause?: PauseRule
  message: string | ((status: CampaignStatus) => string)
  /** The status of the refusal; 400 unless said otherwise. */
  refusal?: (status: CampaignStatus) => 400 | 409
}

const duplicate = 'A cancelled campaign stays as it is: copy it with POST /campaigns/:id/duplicate.'

const conflicting = (): 409 => 409

export const rules: Readonly<Record<CampaignAction, Rule>> = {
  update: {
    from: ['DRAFT', 'SCHEDULED'],
    message: status =>
      status === 'CANCELLED'
        ? 'Cannot update campaign that was cancelled'
        : 'Cannot update campaign that is sending or has been sent',
    refusal: conflicting,
  },
  changeSegment: {
    from: ['DRAFT'],
    message: 'Cannot change segment for scheduled campaigns',
    refusal: conflicting,
  },
  send: {
    from: ['DRAFT', 'SCHEDULED'],
    message: status =>
      status === 'CANCELLED'
        ? 'Campaign was cancelled'
        : 'Campaign has already been sent or is currently sending',
  },
  unschedule: {
    from: ['SCHEDULED'],
    message: status =>
      status === 'SENDING' || status === 'SENT'
        ? 'Campaign has already been sent or is currently sending'
        : 'Can only unschedule a campaign that is scheduled',
    refusal: conflicting,
  },
  cancel: { from: ['SCHEDULED', 'SENDING'], message: 'Can only cancel scheduled or sending campaigns' },
  pause: {
    from: ['SENDING'],
    // What paused automatically would resume automatically: a person may prevent that.
    pause: 'notLasting',
    message: 'Can only pause a campaign that is sending',
    refusal: conflicting,
  },
  /** Automatic, because the transport fails. */
  interrupt: {
    from: ['SENDING'],
    pause: 'none',
    message: 'Can only interrupt a campaign that is sending',
    refusal: conflicting,
  },
  resume: {
    from: ['SENDING'],
    pause: 'any',
    message: 'Can only resume a campaign that is paused',
    refusal: conflicting,
  },
  /** Automatic, because the transport works again. */
  recover: {
    from: ['SENDING'],
    pause: 'temporary',
    message: 'Can only take up a campaign that was interrupted',
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
  /** Of an A/B test. */
  decide: {
    from: ['SENDING', 'SENT'],
    message: 'Can only choose the winner of a campaign that is sending or has been sent',
    refusal: conflicting,
  },
}

export interface CampaignState {
  status: CampaignStatus
  pausedAt: Date | null
  probeAt: Date | null
}

export function isAllowed(action: CampaignAction, state: CampaignState): boolean {
  const { from, pause } = rules[action]
  return from.includes(state.status) && (pause === undefined || isPausedSo(pause, state))
}

function isPausedSo(pause: PauseRule, { pausedAt, probeAt }: CampaignState): boolean {
  switch (pause) {
    case 'none':
      return pausedAt === null
    case 'any':
      return pausedAt !== null
    case 'temporary':
      return probeAt !== null
    case 'notLasting':
      return pausedAt === null || probeAt !== null
  }
}

/** Throws if the state does not allow the action. */
export function requireAllowed(action: CampaignAction, state: CampaignState): void {
  if (isAllowed(action, state)) return
  const { message, refusal } = rules[action]
  const status = refusal?.(state.status) ?? 400
  const words = typeof message === 'string' ? message : message(state.status)
  throw new AppError(status, status === 409 ? 'CONFLICT' : 'BAD_REQUEST', words, {
    details: { status: state.status, paused: state.pausedAt !== null },
    ...(state.status === 'CANCELLED' ? { suggestion: duplicate } : {}),
  })
}
