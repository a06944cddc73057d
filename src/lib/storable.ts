// Text from strangers made fit for the database: PostgreSQL holds neither NUL nor half a surrogate pair.

export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
