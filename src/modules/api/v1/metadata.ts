// What a program may note about a message, by `metadata` of a request or by a header of a submitted message. Pure.

const maxKeys = 50
const maxLength = 8_000
const maxTextLength = 1_000

/** Why it can't be stored, to follow its name; undefined if it can. */
export function metadataFault(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'must be a JSON object, such as {"order":"4711"}'
  const isTooBig = Object.keys(given).length > maxKeys || JSON.stringify(given).length > maxLength
  if (isTooBig) return `at most ${maxKeys} members, and ${maxLength} characters as JSON`
  const isSound = (value: unknown): boolean =>
    (typeof value === 'string' && value.length <= maxTextLength) ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  return Object.values(given).every(isSound)
    ? undefined
    : `values are texts of ${maxTextLength} characters at most, numbers, true and false`
}
