// When recipients get a campaign, in requests and answers.
import { type TSchema, Type } from '@sinclair/typebox'
import { oneOfWords } from '../../../../lib/described'
import { timeOfDayPattern } from '../../../../lib/local-time'
import { passedRules } from './timing'

const timeOfDay = Type.String({ pattern: timeOfDayPattern, examples: ['09:00'] })
const weekday = Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' })
const orNothing = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const windowMembers = { from: timeOfDay, to: timeOfDay }
const spreadHours = Type.Integer({ minimum: 1, maximum: 168 })

export const givenTiming = Type.Optional(
  orNothing(
    Type.Object(
      {
        localTime: Type.Optional(orNothing(timeOfDay)),
        passed: Type.Optional(oneOfWords(passedRules)),
        window: Type.Optional(
          orNothing(
            Type.Object({
              ...windowMembers,
              weekdays: Type.Optional(Type.Array(weekday, { minItems: 1, maxItems: 7 })),
            }),
          ),
        ),
        spreadHours: Type.Optional(orNothing(spreadHours)),
      },
      { description: 'When each recipient gets it, by the local time there; null: as soon as possible' },
    ),
  ),
)

export const answeredTiming = orNothing(
  Type.Object(
    {
      localTime: orNothing(Type.String()),
      passed: oneOfWords(passedRules),
      window: orNothing(
        Type.Object({ from: Type.String(), to: Type.String(), weekdays: Type.Array(Type.Integer()) }),
      ),
      spreadHours: orNothing(Type.Integer()),
    },
    { title: 'CampaignTiming' },
  ),
)
