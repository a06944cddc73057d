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
            'Instead of the audience of the original: those of its recipients who did this with it, when the copy is sent. The copy has no A/B test and no `timing`',
        }),
      ),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: maxCampaignNameLength })),
    }),
    Type.Null(),
  ]),
)

export type DuplicateBody = Exclude<Static<typeof duplicateBody>, null | undefined>
