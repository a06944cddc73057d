// A copy of a campaign as it is asked for.
import { type Static, Type } from '@sinclair/typebox'
import { campaignReactions } from '../../../../filters/predicate'
import { oneOfWords } from '../../../../lib/described'
import { maxCampaignNameLength } from '../model'

export const duplicateBody = Type.Optional(
  Type.Union([
    Type.Object({
      reaction: Type.Optional(
        oneOfWords(campaignReactions, {
          description:
            'Replaces the audience: the copy goes to the recipients of the original who have this reaction when the copy is sent. The copy has no A/B test and no `timing`',
        }),
      ),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: maxCampaignNameLength })),
    }),
    Type.Null(),
  ]),
)

export type DuplicateBody = Exclude<Static<typeof duplicateBody>, null | undefined>
