// Receivers that refuse a campaign, as clients see them.
import { Type } from '@sinclair/typebox'
import { answeredInstant, nullableInstant } from '../../../lib/answered'
import type { CampaignReceiver } from '../queries'

export const receiverParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  receiver: Type.String({
    minLength: 1,
    maxLength: 253,
    description: 'As in `receivers` of the campaign: `gmail`, `outlook`, `yahoo`, or a domain',
  }),
})

export const answeredReceivers = Type.Optional(
  Type.Array(
    Type.Object(
      {
        receiver: Type.String(),
        state: Type.Union([Type.Literal('PAUSED'), Type.Literal('LEFT_OUT')]),
        since: answeredInstant(),
        nextTryAt: nullableInstant({ description: 'When one message tries whether it takes email again' }),
        heldCount: Type.Integer({ description: 'Emails that wait because of it' }),
        response: Type.String({ description: 'What it said when it refused' }),
      },
      { title: 'CampaignReceiver' },
    ),
    { description: 'Receivers that refuse the campaign, and get nothing more for now. Lists leave it out' },
  ),
)

export function toReceivers(receivers: readonly CampaignReceiver[]) {
  return receivers
    .filter(({ state }) => state !== 'watched')
    .map(({ receiver, state, since, probeAt, held, words }) => ({
      receiver,
      state: state === 'paused' ? ('PAUSED' as const) : ('LEFT_OUT' as const),
      since: since.toISOString(),
      nextTryAt: probeAt?.toISOString() ?? null,
      heldCount: held,
      response: words,
    }))
}
