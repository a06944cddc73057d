// Searching a sorted word list in bytes.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasLine } from '../../../src/modules/audience/verify/lists'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const byBytes = (left: string, right: string): number => Buffer.compare(bytes(left), bytes(right))

describe('a sorted list', () => {
  test.each<[string, string, string, boolean]>([
    ['holds its first line', 'a.com\nb.com\nc.com\n', 'a.com', true],
    ['holds its last line', 'a.com\nb.com\nc.com\n', 'c.com', true],
    ['holds its last line without a line end', 'a.com\nb.com', 'b.com', true],
    ['holds its only line', 'a.com', 'a.com', true],
    ['holds words beyond ASCII', 'a.com\nälter.de\n', 'älter.de', true],
    ['does not hold a part of a line', 'mailinator.com\n', 'mailinator', false],
    ['does not hold the end of a line', 'mailinator.com\n', 'inator.com', false],
    ['does not hold a line with more behind it', 'mail.com\n', 'mail.com.au', false],
    ['does not hold two lines as one word', 'a.com\nb.com\n', 'a.com\nb.com', false],
    ['does not hold the empty word', 'a.com\nb.com\n', '', false],
    ['holds nothing when it is empty', '', 'a.com', false],
  ])('%s', (_, lines, word, expected) => {
    expect(hasLine(bytes(lines), word)).toBe(expected)
  })

  test('agrees with a Set, whatever is in it and whatever is asked', () => {
    const word = fc.stringMatching(/^[a-dä.-]{1,4}$/)
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), word, (words, asked) => {
        const lines = bytes(words.toSorted(byBytes).join('\n'))
        for (const each of [...words, asked]) expect(hasLine(lines, each)).toBe(words.includes(each))
      }),
    )
  })
})
