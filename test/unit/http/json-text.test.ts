// JSON that is read in pieces: the same values as JSON.parse has, in turns, and bounds before the parser.
import { describe, expect, test } from 'bun:test'
import { parseJson } from '../../../src/http/json-text'
import { expectLinear } from '../../support/cost'

const bytes = (text: string) => new TextEncoder().encode(text)
const long = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))
const megabyte = 1024 ** 2

describe('a text is read as JSON.parse reads it', () => {
  test.each<[string, unknown]>([
    ['a word', 'x'],
    ['nothing', null],
    ['an empty list', []],
    ['signs within a string', { 'a,[{"\\': '},]\\"\u0000', b: [1.5e3, true, null, {}] }],
    ['a long string', { a: long('A', 3 * megabyte), b: 1 }],
    ['many long strings', Array.from({ length: 400 }, (_, at) => ({ at, text: long(`${at} `, 8_000) }))],
    ['characters of several bytes at every cut', { a: `x${long('é😀漢', 5 * megabyte)}` }],
    ['escapes at every cut', [long('\n"\\\u0001', 3 * megabyte)]],
    ['a byte order mark within', { a: `\ufeff${long('\ufeff', 3 * megabyte)}` }],
    ['a name like an old one', { ['__proto__']: long('x', 3 * megabyte), constructor: 'y' }],
  ])('%s', async (_, value) => {
    const text = JSON.stringify(value)
    expect(JSON.stringify(await parseJson(bytes(text)))).toBe(text)
  })

  test('escapes of Unicode at every cut, halves of pairs as well', async () => {
    const text = `{"a":"${long('x\\ud83d\\ude00\\/', 5 * megabyte)}"}`
    expect(await parseJson(bytes(text))).toEqual(JSON.parse(text))
  })
})

describe('what is no JSON is a SyntaxError', () => {
  test.each([
    ['nothing at all', ''],
    ['an open string', '{"a":"'],
    ['a long open string', `{"a":"${long('x', 3 * megabyte)}`],
    ['a line break in a long string', `{"a":"${long('x\n', 3 * megabyte)}"}`],
    ['a broken escape in a long string', `{"a":"${long('x', 3 * megabyte)}\\q"}`],
    ['more closings than openings', ']]]]'],
  ])('%s', async (_, text) => {
    expect(parseJson(bytes(text))).rejects.toBeInstanceOf(SyntaxError)
  })
})

describe('is refused before it is parsed:', () => {
  test.each([
    ['a member too many', `[${'1,'.repeat(20_000)}1]`],
    ['a level too many', `${'['.repeat(101)}${']'.repeat(101)}`],
    ['openings alone', '['.repeat(5 * megabyte)],
    ['digits without end', `{"a":${long('1', 3 * megabyte)}}`],
    ['blanks without end', `{"a":${long(' ', 3 * megabyte)}1}`],
    ['a long name', `{"${long('a', 3 * megabyte)}":1}`],
  ])('%s', async (_, text) => {
    expect(parseJson(bytes(text))).rejects.toMatchObject({ status: 422, errors: [{ code: 'too_big' }] })
  })
  test('and what is just within passes', async () => {
    expect(await parseJson(bytes(`[${'1,'.repeat(19_998)}1]`))).toHaveLength(19_999)
    expect(await parseJson(bytes(`${'['.repeat(100)}${']'.repeat(100)}`))).toBeArray()
  })
})

test('others have their turn before what many members cost to parse, and after it; few wait for nobody', async () => {
  const pieces = async (text: string): Promise<number> => {
    let count = 0
    await parseJson(bytes(text), async work => {
      count++
      return work()
    })
    return count
  }
  expect(await pieces(`[${'1,'.repeat(900)}1]`)).toBe(0)
  expect(await pieces(`[${'1,'.repeat(19_000)}1]`)).toBe(2)
  // Slices, pieces of the text, the text itself, what stands around it, and all of it.
  expect(await pieces(`{"a":"${long('x', 4 * megabyte)}"}`)).toBeGreaterThan((2 * 4 * megabyte) / (64 * 1024))
})

test('escapes take linear time', () => {
  expectLinear(length => void parseJson(bytes(`{"a":"${'\\n'.repeat(length / 2)}"}`)), 2 * megabyte)
})
