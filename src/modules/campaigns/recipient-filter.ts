// Which recipients of a campaign are asked for.
import { type Static, Type } from '@sinclair/typebox'
import { cursorParameter, filterWord, queryText } from '../../lib/described'
import { pageQuery } from '../../lib/page'
import { emailStatuses } from '../emails'
import { variantNames } from './ab-test'

/** What recipients did, or what became of their messages: unlike the status, it does not depend on what came last. */
export const reactions = [
  'opened',
  'notOpened',
  'clicked',
  'notClicked',
  'bounced',
  'complained',
  'failed',
] as const
export type Reaction = (typeof reactions)[number]

const recipientFilter = {
  status: Type.Optional(filterWord(emailStatuses, 'Only recipients whose message has this status')),
  reaction: Type.Optional(filterWord(reactions, 'Only recipients who did this, or to whom this happened')),
  link: Type.Optional(queryText(2_000, 'Only recipients who followed this link, as GET …/links names it')),
  variant: Type.Optional(
    filterWord(
      variantNames,
      'Only recipients of this variant of an A/B test: who tries it, and everybody else once it has won. 400 where the campaign has none of this name',
    ),
  ),
}

export const recipientsQuery = Type.Object({
  ...pageQuery,
  cursor: Type.Optional(cursorParameter),
  ...recipientFilter,
})

export const recipientExportQuery = Type.Object(recipientFilter)

export const segmentBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  ...recipientFilter,
})

export type RecipientFilter = Static<typeof recipientExportQuery>

export type RecipientsQuery = Static<typeof recipientsQuery>
