// Receivers that refuse a campaign, as clients see them.
import { Type } from '@sinclair/typebox'
import { answeredInstant, nullableInstant } from '../../../../lib/answered'
import type { CampaignReceiver } from './queries/receivers'

export const receiverParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  receiver: Type.String({
    minLength: 1,
    maxLength: 253,
    description:
      'Mailbox provider, as in `receivers` of the campaign: `gmail`, `outlook`, `yahoo`, or a domain',
  }),
})

export const answeredReceivers = Type.Optional(
  Type.Array(
    Type.Object(
      {
        receiver: Type.String(),
        state: Type.Union([Type.Literal('PAUSED'), Type.Literal('LEFT_OUT')]),
        since: answeredInstant(),
        nextTryAt: nullableInstant({
          description: 'When one email tests whether the provider accepts the campaign again',
        }),
        heldCount: Type.Integer({ description: 'Number of emails that wait' }),
        response: Type.String({ description: 'Last rejection of the provider, in its own words' }),
      },
      { title: 'CampaignReceiver' },
    ),
    {
      description:
        'Mailbox providers that rejected the campaign: it is paused for them, or skips them. Not included in lists',
    },
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
