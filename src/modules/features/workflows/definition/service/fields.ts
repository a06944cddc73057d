// The fields that conditions can use: those of contacts, and the keys that recent events carried.
import type { Context } from '../../../../../platform/context'
import { selectFieldCounts, standardFields } from '../../../../audience/contacts'
import { listEventFields } from '../../../../audience/events'

export interface TypedField {
  field: string
  type: string
  category: 'Contact Fields' | 'Custom Data' | 'Event Data'
}

export async function listConditionFields(
  ctx: Context,
  projectId: string,
  eventName: string | null,
): Promise<TypedField[]> {
  const [custom, event] = await Promise.all([
    selectFieldCounts(ctx, projectId),
    listEventFields(ctx, projectId, eventName),
  ])
  const all: TypedField[] = [
    ...standardFields.map(each => ({ ...each, category: 'Contact Fields' as const })),
    ...custom.map(({ name, type }) => ({ field: `data.${name}`, type, category: 'Custom Data' as const })),
    // What an event carries has no fixed type.
    ...event.map(field => ({ field, type: 'string', category: 'Event Data' as const })),
  ]
  return all.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0))
}
