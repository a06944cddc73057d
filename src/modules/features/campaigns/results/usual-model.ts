// What campaigns usually reach, as clients see it.
import { Type } from '@sinclair/typebox'

export const usualRates = Type.Union([
  Type.Object(
    {
      campaigns: Type.Integer(),
      deliveryRate: Type.Number(),
      openRate: Type.Number(),
      clickRate: Type.Number(),
      bounceRate: Type.Number(),
      unsubscribeRate: Type.Number(),
    },
    { description: 'Medians of up to ten campaigns before it, of its topic or else of the project' },
  ),
  Type.Null(),
])
