// Requests and answers about single fields.
import { type Static, t } from 'elysia'
import { answeredId } from '../../../../lib/answered'
import { countText } from '../../../../lib/described'

const reference = t.Object({ id: answeredId(), name: t.String() })

export const fieldParams = t.Object({
  field: t.String({ minLength: 1, maxLength: 300, examples: ['data.plan'] }),
})

/** What can't be understood as a limit counts as the default, as in lists. */
export const valuesQuery = t.Object({
  limit: t.Optional(countText('Default 100; more than 200 counts as 200')),
})

export const valuesAnswer = t.Object({
  field: t.String(),
  values: t.Array(t.Union([t.String(), t.Number(), t.Boolean()])),
  count: t.Integer(),
  limit: t.Integer(),
})

export const usageAnswer = t.Object(
  {
    usedInSegments: t.Array(reference),
    usedInCampaigns: t.Array(reference),
    usedInWorkflows: t.Array(reference),
    contactCount: t.Integer({ description: 'Contacts that have the field' }),
    canDelete: t.Boolean({ description: 'A custom field that nothing refers to' }),
  },
  { title: 'FieldUsage' },
)

export const deletedAnswer = t.Object({
  deletedFrom: t.Integer({ description: 'Contacts that had the field' }),
})

/** What is known about a field's usage. */
interface Usage {
  segments: Static<typeof reference>[]
  campaigns: Static<typeof reference>[]
  workflows: Static<typeof reference>[]
  contacts: number
  canDelete: boolean
}

export function toUsage(usage: Usage): Static<typeof usageAnswer> {
  return {
    usedInSegments: usage.segments,
    usedInCampaigns: usage.campaigns,
    usedInWorkflows: usage.workflows,
    contactCount: usage.contacts,
    canDelete: usage.canDelete,
  }
}

const standardValues = 100
const maxValues = 200

/** The number of values that a request asks for. */
export function valuesLimit(text: string | undefined): number {
  const asked = Number.parseInt(text ?? '', 10)
  return asked > 0 ? Math.min(maxValues, asked) : standardValues
}
