// Under which names attributes of listmonk's subscribers are fields here. Pure.

/** Fields that listmonk has besides the attributes of a subscriber: attributes of these names are kept apart. */
const ownFields: ReadonlySet<string> = new Set(['name', 'firstName', 'lastName', 'signedUpAt'])

/** The field that an attribute becomes, for subscribers and for the placeholders of templates alike. */
export function attributeField(attribute: string): string {
  if (!ownFields.has(attribute)) return attribute
  return `attribute${attribute[0]!.toUpperCase()}${attribute.slice(1)}`
}

/** What the report says of attributes under another name. */
export function clashes(attributes: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(attributes)
    .filter(name => ownFields.has(name))
    .map(
      name => `the attribute "${name}" is the field "${attributeField(name)}": "${name}" is listmonk's own`,
    )
}
