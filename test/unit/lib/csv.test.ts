// CSV in pieces: whatever the size of the pieces, the same records come out, and a faulty line costs itself only.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  csvLine,
  decodeText,
  encodingOf,
  guardCell,
  maxRecordLength,
  readCsv,
  startOf,
  unguardCell,
} from '../../../src/lib/csv'

interface Read {
  rows: string[][]
  faults: string[]
  /** In which line of the file each row or fault begins. */
  lines: number[]
}

function readAll(text: string, limit = 500): Read {
  const content = Buffer.from(text)
  const { offset, delimiter, lines } = startOf(content)
  const read: Read = { rows: [], faults: [], lines: [] }
  let line = 1 + lines
  for (let at = offset, round = 0; at < content.length; round++) {
    if (round > 100_000) throw new Error(`no progress at ${at}`)
    const piece = readCsv(content, at, { limit, delimiter })
    if (piece.end <= at) throw new Error(`stuck at ${at}`)
    read.rows.push(...piece.records.map(record => record.cells))
    read.lines.push(...piece.records.map(record => line + record.line))
    if (piece.fault) {
      read.faults.push(piece.fault.reason)
      read.lines.push(line + piece.fault.line)
    }
    line += piece.lines
    at = piece.end
  }
  return read
}

describe('reading', () => {
  test.each<[string, string, string[][]]>([
    [
      'rows with either line end',
      'a,b\r\n1,2\n3,4\r5,6',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
    [
      'quoted commas, quotes and line ends',
      'a,b\n"x, ""y""","1\r\n2"\n',
      [
        ['a', 'b'],
        ['x, "y"', '1\r\n2'],
      ],
    ],
    ['rows of any length', 'a,b\n1\n1,2,3\n', [['a', 'b'], ['1'], ['1', '2', '3']]],
    ['cells without the blanks around them', ' a , "b" \n', [['a', 'b']]],
    ['blank lines passed over', '\n\na\n\n  \nb\n\n', [['a'], ['b']]],
    [
      'an inch mark inside a cell',
      'a,b\nx,5" pipe\n',
      [
        ['a', 'b'],
        ['x', '5" pipe'],
      ],
    ],
    [
      'semicolons',
      'email;name\na;b,c\n',
      [
        ['email', 'name'],
        ['a', 'b,c'],
      ],
    ],
    [
      'tabs',
      'email\tname\na\tb\n',
      [
        ['email', 'name'],
        ['a', 'b'],
      ],
    ],
    [
      'separators, quoted ones aside, in a heading with commas',
      'email,"Which of these; a; b; c?"\nx,y;z\n',
      [
        ['email', 'Which of these; a; b; c?'],
        ['x', 'y;z'],
      ],
    ],
    [
      'semicolons beside a heading with quoted commas and quotes',
      'email;"Anrede, ""Vorname"", Nachname, Ort"\nx;y\n',
      [
        ['email', 'Anrede, "Vorname", Nachname, Ort'],
        ['x', 'y'],
      ],
    ],
    [
      'the separator that the file names',
      'sep=|\r\nemail|name\r\na|b,c;d\r\n',
      [
        ['email', 'name'],
        ['a', 'b,c;d'],
      ],
    ],
    [
      'the separator that the file names in quotes',
      '"sep=;"\nemail;name\na;b\n',
      [
        ['email', 'name'],
        ['a', 'b'],
      ],
    ],
    [
      'no rows of separators alone',
      ',,\n , ,\n""\nemail,name\n,\n;\n,\na,b\n,\n',
      [['email', 'name'], [';'], ['a', 'b']],
    ],
    [
      'no mark of a file that ends',
      'email,name\na,b\n\x1a',
      [
        ['email', 'name'],
        ['a', 'b'],
      ],
    ],
    [
      'no mark behind the last cell',
      'email,name\na,b\x1a\x1a',
      [
        ['email', 'name'],
        ['a', 'b'],
      ],
    ],
    [
      'a stray quotation mark in a heading',
      'email;5" pipe\na;b,c,d\n',
      [
        ['email', '5" pipe'],
        ['a', 'b,c,d'],
      ],
    ],
    ['more than ASCII', 'é,"ü"\nö\n', [['é', 'ü'], ['ö']]],
  ])('gives %s', (_, text, rows) => {
    for (const limit of [1, 2, 500]) expect(readAll(text, limit)).toMatchObject({ rows, faults: [] })
  })

  test.each([
    ['', ['email', 'b', 'c', 'd'], [1, 3, 5, 8]],
    ['\n,,\n', ['email', 'b', 'c', 'd'], [3, 5, 7, 10]],
  ])('tells in which line of the file each row begins %#', (before, first, lines) => {
    const text = `${before}email,x\n\nb,"1\r\n2"\r\nc,1\r,,\r\n\nd,2`
    for (const limit of [1, 2, 500]) {
      const read = readAll(text, limit)
      expect([read.rows.map(([cell]) => cell!), read.lines]).toEqual([first, lines])
    }
    expect(readAll(`${text}\n"x"y,1\n\ne,1`).lines).toEqual([...lines, lines.at(-1)! + 1, lines.at(-1)! + 3])
  })

  test('text behind a closing quotation mark costs its row only', () => {
    const { rows, faults } = readAll('a,b\n1,"ok"x\n2,3\n')
    expect(rows).toEqual([
      ['a', 'b'],
      ['2', '3'],
    ])
    expect(faults).toEqual(['There is text after a closing quotation mark'])
  })

  test('a quotation mark that is never closed costs its row only', () => {
    const { rows, faults } = readAll('a,b\n1,"open\n2,3\n4,5\n')
    expect(rows).toEqual([
      ['a', 'b'],
      ['2', '3'],
      ['4', '5'],
    ])
    expect(faults).toEqual(['A quotation mark is never closed'])
  })

  test('a row that is too long costs itself only, and so does an open quotation mark in a long file', () => {
    const long = readAll(`a\n${'x'.repeat(300_000)}\nb\n`)
    expect([long.rows, long.faults.length]).toEqual([[['a'], ['b']], 1])
    const open = readAll(`a,b\n1,"open\n${'2,3\n'.repeat(100_000)}`)
    expect([open.rows.length, open.faults.length]).toEqual([100_001, 1])
    const commas = readAll(`a\n${','.repeat(300_000)}\nb\n`)
    expect([commas.rows, commas.faults.length]).toEqual([[['a'], ['b']], 1])
  })

  test('a file of line ends has no rows, however large', () => {
    expect(readAll('\n'.repeat(1_000_000)).rows).toEqual([])
  })

  test('what was written is read back, whatever the cells hold and wherever the pieces end', () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\t', ' ', '=', 'é', '-', "'") }),
      fc.string(),
    )
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 20 })
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 7 }), (written, limit) => {
        // The parser takes blanks around cells away, as the import promises; blank rows are passed over.
        const clean = written.map(row => ['x', ...row.map(each => each.trim().toWellFormed())])
        const text = clean.map(csvLine).join('')
        const read = readAll(`h,${','.repeat(40)}\n${text}`, limit)
        expect(read.faults).toEqual([])
        expect(read.rows.slice(1)).toEqual(clean)
      }),
      { numRuns: 300 },
    )
  })
})

describe('text', () => {
  test('loses its byte order mark, in UTF-8 and UTF-16', () => {
    const utf16 = Buffer.from('\ufeffé,b', 'utf16le')
    const bigEndian = Buffer.from(utf16).swap16()
    for (const bytes of [Buffer.from('\ufeffé,b'), Buffer.from('é,b'), utf16, bigEndian])
      expect(decodeText(bytes)?.toString()).toBe('é,b')
  })

  test('in UTF-16 is recognised without a mark, and in UTF-8 with zeros in it left alone', () => {
    const utf16 = Buffer.from('email,é', 'utf16le')
    for (const bytes of [utf16, Buffer.from(utf16).swap16()])
      expect(decodeText(bytes)?.toString()).toBe('email,é')
    for (const text of ['a\0b,c', '', 'a', '\0'])
      expect([encodingOf(Buffer.from(text)), decodeText(Buffer.from(text))?.toString()]).toEqual([
        'utf-8',
        text,
      ])
  })

  test('is not what has no valid encoding', () => {
    expect(decodeText(Uint8Array.from([0xff, 0x41]))).toBeUndefined()
    expect(decodeText(Buffer.from('Jürgen', 'latin1'))).toBeUndefined()
  })
})

test('a window of a longer file gives the records that are whole, and none that its end cuts', () => {
  const blank = '\n'.repeat(maxRecordLength)
  const long = 'y'.repeat(maxRecordLength - 10)
  const content = Buffer.from(
    `a,1\n${blank}b,"2\n3"\n\r\n${long},4\nc,5\n${blank}${blank}d,6\n"open\ne,7\n${'f,8\n'.repeat(200_000)}`,
  )
  const whole = readAll(content.toString())
  const window = (at: number) => content.subarray(at, at + 2 * maxRecordLength)
  const [rows, faults]: [string[][], string[]] = [[], []]
  for (let at = 0; at < content.length; ) {
    const bytes = window(at)
    const piece = readCsv(bytes, 0, {
      limit: 500,
      delimiter: ',',
      hasMore: at + bytes.length < content.length,
    })
    expect(piece.end).toBeGreaterThan(0)
    rows.push(...piece.records.map(record => record.cells))
    if (piece.fault) faults.push(piece.fault.reason)
    at += piece.end
  }
  expect(rows).toEqual(whole.rows)
  expect(faults).toEqual(whole.faults)
  expect(faults).toHaveLength(1)
})

describe('cells that a spreadsheet would run', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['@cmd', "'@cmd"],
    ['\tx', "'\tx"],
    ["'=1", "''=1"],
    ['-5', '-5'],
    ['+49123', '+49123'],
    ['plain', 'plain'],
    ["'quoted'", "'quoted'"],
  ])('%j is written as %j and read back as it was', (text, written) => {
    expect(guardCell(text)).toBe(written)
    expect(unguardCell(written)).toBe(text)
  })
})
