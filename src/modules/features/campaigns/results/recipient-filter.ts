// Which recipients of a campaign are asked for.
import { type Static, Type } from '@sinclair/typebox'
import { cursorParameter, filterWord, queryText } from '../../../../lib/described'
import { pageQuery } from '../../../../lib/paging'
import { emailStatuses } from '../../../sending/emails'
import { variantNames } from '../authoring/ab-test'

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
  status: Type.Optional(filterWord(emailStatuses, 'Only recipients whose email has this status')),
  reaction: Type.Optional(filterWord(reactions, 'Only recipients with this reaction')),
  link: Type.Optional(queryText(2_000, 'Only recipients who clicked this link, as GET …/links lists it')),
  variant: Type.Optional(
    filterWord(
      variantNames,
      'Only recipients of this A/B test variant: its test group, and everyone else once it has won. 400 if the campaign has no variant of this name',
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
