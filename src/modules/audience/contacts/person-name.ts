// What a contact is called, by the custom fields that usually hold it. Pure.

const whole = ['name', 'fullname', 'displayname']
const given = ['firstname', 'givenname', 'vorname', 'prénom', 'prenom']
const family = ['lastname', 'surname', 'familyname', 'nachname', 'nom']
const maxLength = 200

const plain = (field: string): string => field.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The order in which the parts of a name are written. */
const nameOrder = [...given, ...family, ...whole]

/** Those of the fields that hold names, in the order in which names are written. */
export function nameFields(fields: readonly string[]): string[] {
  const placed = fields.map(field => ({ field, place: nameOrder.indexOf(plain(field)) }))
  return placed
    .filter(({ place }) => place >= 0)
    .sort((one, other) => one.place - other.place)
    .map(({ field }) => field)
}

/** First and last name, or the whole name; null where no field holds one. `first_name` and `First name` are firstName too. */
export function personName(data: Readonly<Record<string, unknown>>): string | null {
  const fields = new Map(Object.entries(data).map(([field, value]) => [plain(field), value]))
  const first = (names: readonly string[]): string | undefined =>
    names
      .map(name => fields.get(name))
      .find((value): value is string => typeof value === 'string' && value.trim() !== '')
      ?.trim()
  const parts = [first(given), first(family)].filter(part => part !== undefined)
  const name = parts.length > 0 ? parts.join(' ') : first(whole)
  return name?.slice(0, maxLength) ?? null
}
