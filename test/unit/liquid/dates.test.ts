// Dates as templates print them: read strictly, and formatted as in Ruby.
import { expect, test } from 'bun:test'
import { compileTemplate } from '../../../src/liquid/template'

const print = (d: unknown, format = '%Y-%m-%d %H:%M:%S'): string =>
  compileTemplate(`{{ d | date: "${format}" }}`, 'line').render({ d })

test.each([
  ['2026-03-01', '2026-03-01 00:00:00'],
  ['2026-03-01T10:30:00Z', '2026-03-01 10:30:00'],
  ['2026-03-01T23:30:00-05:00', '2026-03-02 04:30:00'],
  ['2026-03-01 10:30', '2026-03-01 10:30:00'],
  ['2026-03', '2026-03-01 00:00:00'],
  ['2026/03/01', '2026-03-01 00:00:00'],
  ['01.03.2026', '2026-03-01 00:00:00'],
  ['1.3.2026', '2026-03-01 00:00:00'],
  ['31.12.2026, 23:59', '2026-12-31 23:59:00'],
  ['31.12.2026 23:59:58', '2026-12-31 23:59:58'],
  ['29.02.2028', '2028-02-29 00:00:00'],
  ['March 1, 2026', '2026-03-01 00:00:00'],
  ['1 Mar 2026 14:00', '2026-03-01 14:00:00'],
  ['Sun, 01 Mar 2026 23:30:00 GMT', '2026-03-01 23:30:00'],
  ['March 2026', '2026-03-01 00:00:00'],
  ['03/01/2026', '2026-03-01 00:00:00'],
  ['1772323200', '2026-03-01 00:00:00'],
  [1772323200, '2026-03-01 00:00:00'],
  [new Date('2026-03-01'), '2026-03-01 00:00:00'],
])('%p is %s', (given, expected) => expect(print(given)).toBe(expected))

test.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026/02/30',
  '30.02.2026',
  '32.01.2026',
  '12.31.2026',
  '01.03.26',
  '01.03.2026 25:00',
  'February 30, 2026',
  '30 February 2026 10:00',
  '02/30/2026',
  'tomorrow',
  '',
])('%p is no date, and printed as it stands', given => expect(print(given)).toBe(given))

test('"Today" and "NOW" are this moment', () => {
  for (const now of ['Today', 'NOW', 'now']) expect(print(now)).toMatch(/^20\d\d-\d\d-\d\d \d\d:/)
})

test('other filters of dates read alike', () => {
  expect(compileTemplate('{{ "01.03.2026" | date_to_xmlschema }}').render({})).toBe(
    '2026-03-01T00:00:00+00:00',
  )
  expect(compileTemplate('{{ "2026-02-30" | date_to_string }}').render({})).toBe('2026-02-30')
})

test.each([
  ['%F', '2026-03-01'],
  ['%T', '14:05:09'],
  ['%X', '14:05:09'],
  ['%R', '14:05'],
  ['%D', '03/01/26'],
  ['%x', '03/01/26'],
  ['%r', '02:05:09 PM'],
  ['%c', 'Sun Mar  1 14:05:09 2026'],
  ['%v', ' 1-MAR-2026'],
  ['%%F %F', '%F 2026-03-01'],
  ['%-d %B', '1 March'],
])('%s prints %p', (format, expected) =>
  expect(compileTemplate(`{{ d | date: "${format}" }}`).render({ d: '2026-03-01T14:05:09Z' })).toBe(expected),
)
