// Texts of any characters, for tests of properties.
import fc from 'fast-check'

/** U+D800 to U+DFFF, which are no characters. */
const [firstSurrogate, surrogates] = [0xd800, 0x800]
const characters = 0x110000 - surrogates

function characterOf(number: number): string {
  return String.fromCodePoint(number < firstSurrogate ? number : number + surrogates)
}

function numberOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0)! : 0
  const number = point < firstSurrogate ? point : point - surrogates
  if (number < characters && characterOf(number) === text) return number
  throw new Error('no single character')
}

/** A unit for `fc.string`, instead of its own `binary`, which keeps a table of all 1.1 million: 80 MB, and a second to make it. */
export const anyCharacter = fc.nat({ max: characters - 1 }).map(characterOf, numberOf)
