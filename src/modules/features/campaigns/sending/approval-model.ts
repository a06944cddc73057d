// Requests and answers about the approval of a campaign.
import { type Static, Type } from '@sinclair/typebox'
import { answeredInstant, nullableAddress, nullableInstant } from '../../../../lib/answered'
import { instantText, oneOfWords } from '../../../../lib/described'
import type { ShownApproval } from '../../../accounts/projects'
import { expectedVersion } from '../../../sending/templates'
import type { AwaitingApproval } from './queries/awaiting'

const fingerprint = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`fingerprint` of `GET /campaigns/{id}/approval`: the version that you looked at',
})

export const requestApprovalBody = Type.Object({
  scheduledFor: Type.Optional(
    Type.Union([instantText({ description: 'Send time; null or left out means now' }), Type.Null()]),
  ),
})

export const approveBody = Type.Object({ fingerprint, expectedVersion })

export const declineBody = Type.Object({
  fingerprint,
  reason: Type.Optional(
    Type.Union([Type.String({ maxLength: 500, description: 'What should be different' }), Type.Null()]),
  ),
})

const states = ['NONE', 'REQUESTED', 'APPROVED', 'DECLINED', 'ENDED'] as const

export const approvalAnswer = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether the project requires it' }),
    state: oneOfWords(states, {
      description:
        'ENDED: the campaign, its send time, or its number of recipients changed after the request',
    }),
    fault: Type.Union([Type.String(), Type.Null()], {
      description:
        'Why this approval doesn’t allow sending, such as `undecided` or `changed`; null if it does',
    }),
    fingerprint: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the campaign when approval was requested; approve and decline take it',
    }),
    version: Type.Integer({
      description: 'Current version of the campaign: show the approver this version',
    }),
    recipients: Type.Union([Type.Integer(), Type.Null()], { description: 'At the request' }),
    scheduledFor: nullableInstant(),
    requestedBy: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    requestedByEmail: nullableAddress(),
    requestedAt: nullableInstant(),
    decidedByEmail: nullableAddress(),
    decidedAt: nullableInstant(),
    reason: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'CampaignApproval' },
)

export const awaitingList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        name: Type.String(),
        requestedBy: Type.String({ format: 'uuid' }),
        requestedByEmail: nullableAddress(),
        requestedAt: answeredInstant(),
      }),
    ),
  },
  { title: 'CampaignsAwaitingApproval' },
)

/** A campaign's approval, and the current version of the campaign. */
export interface CampaignApproval extends ShownApproval {
  version: number
}

const ended = new Set(['changed', 'otherTime', 'moreRecipients'])

export function toApproval({
  isRequired,
  approval,
  fault,
  version,
}: CampaignApproval): Static<typeof approvalAnswer> {
  const isEnded = fault !== undefined && ended.has(fault)
  return {
    required: isRequired,
    state: !approval ? 'NONE' : isEnded ? 'ENDED' : approval.state,
    fault: fault ?? null,
    fingerprint: approval?.fingerprint ?? null,
    version,
    recipients: approval?.recipients ?? null,
    scheduledFor: approval?.scheduledFor?.toISOString() ?? null,
    requestedBy: approval?.requestedBy ?? null,
    requestedByEmail: approval?.requestedByEmail ?? null,
    requestedAt: approval?.requestedAt.toISOString() ?? null,
    decidedByEmail: approval?.decidedByEmail ?? null,
    decidedAt: approval?.decidedAt?.toISOString() ?? null,
    reason: approval?.reason ?? null,
  }
}

export function toAwaiting(rows: readonly AwaitingApproval[]): Static<typeof awaitingList> {
  return { data: rows.map(row => ({ ...row, requestedAt: row.requestedAt.toISOString() })) }
}
