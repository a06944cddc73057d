// What the import page shows of a file is what the server's own reader makes of it.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { guess, headingsFor, mayBeConsent, readTable } from '../../../src/dashboard/pages/contacts/csv'
import { decodeText, readCsv, startOf } from '../../../src/lib/csv'
import { headingWarnings } from '../../../src/modules/audience/contacts/import-columns'

function readByServer(text: string): string[][] {
  const content = decodeText(Buffer.from(text))!
  const { offset, delimiter } = startOf(content)
  const rows: string[][] = []
  for (let at = offset; at < content.length; ) {
    const piece = readCsv(content, at, { delimiter, limit: 500 })
    rows.push(...piece.records.map(({ cells }) => cells))
    at = piece.end
  }
  return rows
}

const read = (text: string): string[][] => {
  const { names, rows } = readTable(text)
  return names.length === 0 && rows.length === 0 ? [] : [names, ...rows]
}

test.each([
  'email,name\r\nu1@x.test,A\r\nu2@x.test,B\nu3@x.test,C\r\nu4@x.test,D\r\n',
  'email,size\nu1@x.test,5" pipe\nu2@x.test,"ok"y\nu3@x.test,z\n',
  '\ufeffemail;"Anrede, Vorname, Nachname"\na@x.test;x\n',
  'sep=;\r\nemail;name\r\na@x.test;b,c\r\n',
  ',,\n\n"",\nemail,name\n,,\na@x.test,1\n\x1a',
  'email,name\na@x.test,"open\nb@x.test,1\n',
  '',
  '\n\n',
])('%j', text => {
  expect(read(text)).toEqual(readByServer(text))
})

test('any text', () => {
  const piece = fc.constantFrom(
    'a',
    'b@x.test',
    'é',
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\n',
    '\r\n',
    '\r',
    ' ',
    'sep=;\n',
    'x,y',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
      const text = pieces.join('')
      expect(read(text)).toEqual(readByServer(text))
    }),
    { numRuns: 1_000 },
  )
})

test('our own export is mapped so that nothing of it is lost', () => {
  const names =
    'id,email,subscribed,snoozedUntil,optedOutAt,createdAt,topic:News,topic:Gone,tags:json,data.id,plan'.split(
      ',',
    )
  const table = { names, rows: [] }
  const mapping = guess(table, [{ id: 'n1', name: 'News' }])
  expect(headingsFor(table, mapping)).toEqual(
    ',email,subscribed,snoozedUntil,optedOutAt,,topic:n1,topic:Gone,tags:json,data.id,plan'.split(','),
  )
  expect(
    headingsFor(
      table,
      names.map(() => 'field'),
    )[6],
  ).toBe('data.topic:News')
})

test('the headings that the server warns of are pointed out before', () => {
  const names =
    'Status,state,statement,unsub_date,Unsubscribed,opted-out,Opt_In,Bounce type,blacklisted,block list,Spam,Complaints,consent,confirmed,suppress,plan,option,street'
  for (const name of names.split(','))
    expect([name, mayBeConsent(name, 'field')]).toEqual([name, headingWarnings([name]).length > 0])
  expect(mayBeConsent('Status', 'subscribed')).toBeFalse()
  const file = { names: ['email', 'suppressed'], rows: [] }
  expect(headingsFor(file, guess(file))).toEqual(['email', 'suppressed'])
  expect(headingsFor(file, ['email', 'field'])).toEqual(['email', 'data.suppressed'])
})
