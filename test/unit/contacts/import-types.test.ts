// Cells in columns whose type a person chose, in the forms in which spreadsheets write numbers, dates and yes or no.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nameFault } from '../../../src/dashboard/pages/contacts/import/plan'
import {
  cellTypes as cellTypesOfDashboard,
  fieldKindOf,
  fieldNameOf,
  readCell,
  typeOfColumn,
  yesNoWords,
} from '../../../src/dashboard/pages/contacts/import/values'
import { yesNoMeanings } from '../../../src/modules/audience/contacts/consent-words'
import { reservedKeys } from '../../../src/modules/audience/contacts/fields'
import { fieldTypeOf, readTypedCell } from '../../../src/modules/audience/contacts/import-types'
import { type CellType, cellTypes } from '../../../src/modules/audience/contacts/schema'

const cells: ReadonlyArray<[CellType, string, string | number | boolean | undefined]> = [
  ['text', '01730', '01730'],
  ['text', "'=1+1", '=1+1'],
  ['number', '1,211.92', 1211.92],
  ['number', '-5', -5],
  ['number', '1.5', 1.5],
  ['number', '211,92', undefined],
  ['number', '1,21', undefined],
  ['number', '', undefined],
  ['number', '1e5', undefined],
  ['number', '1234567890123456', undefined],
  ['numberComma', '211,92', 211.92],
  ['numberComma', '1.211,92', 1211.92],
  ['numberComma', '1 211,92 €', 1211.92],
  ['numberComma', '−3,5', -3.5],
  ['numberComma', "12'000", 12000],
  ['numberComma', '1.21', undefined],
  ['numberComma', 'viel', undefined],
  ['boolean', 'ja', true],
  ['boolean', 'Nein', false],
  ['boolean', 'WAHR', true],
  ['boolean', '0', false],
  ['boolean', 'vielleicht', undefined],
  ['date', '2020-08-13', '2020-08-13'],
  ['date', '2020-08-13 14:30', '2020-08-13T14:30:00Z'],
  ['date', '2020-08-13T14:30:05.123Z', '2020-08-13T14:30:05Z'],
  ['date', '13.08.2020', undefined],
  ['date', '2020-02-30', undefined],
  ['dateDayFirst', '13.08.2020', '2020-08-13'],
  ['dateDayFirst', '3/8/20', '2020-08-03'],
  ['dateDayFirst', '1.2.71', '1971-02-01'],
  ['dateDayFirst', '13.08.2020 9:05', '2020-08-13T09:05:00Z'],
  ['dateDayFirst', '08/13/2020', undefined],
  ['dateDayFirst', '2020-08-13', '2020-08-13'],
  ['dateMonthFirst', '08/13/2020', '2020-08-13'],
  ['dateMonthFirst', '31.12.2020', undefined],
]

describe('a cell', () => {
  test.each(cells)('in a column of the type %s: %s', (type, text, value) => {
    expect(readTypedCell(text, type)).toBe(value)
  })

  test.each(cells)('is shown before the import as it will be stored: %s %s', (type, text, value) => {
    expect(readCell(text, type)).toBe(value)
  })

  test('of any text is read by the dashboard as by the server', () => {
    const numbers = ['0', '1', '12', '123', '13.08.2020', '08/13/2020', '2020-02-29', '99', '1234567890']
    const signs = [...". ,'’-−+/:TZ%€$=x", '\u00a0', '+00:00', '09:05', '14:30:05', '.123', 'e5']
    const piece = fc.constantFrom(...numbers, ...signs)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(...cellTypes), (pieces, type) => {
        const text = pieces.join('')
        expect(readCell(text, type)).toBe(readTypedCell(text, type))
      }),
      { numRuns: 5_000 },
    )
  })
})

test('the types of columns, and the reserved names of fields, are those of the server', () => {
  expect(cellTypesOfDashboard).toEqual(cellTypes)
  expect(cellTypes.map(fieldKindOf)).toEqual(cellTypes.map(fieldTypeOf))
  const names = ['plan', ...reservedKeys]
  const faults = names.map(name => nameFault([{ target: 'field', name, type: 'text' }], 0))
  expect(faults).toEqual([undefined, ...Array(reservedKeys.size).fill('reserved')])
})

test('the words for yes and no are those of the server, in every language', () => {
  expect(new Map(yesNoWords)).toEqual(new Map(yesNoMeanings))
})

describe('a column', () => {
  const hints = { prefersComma: true, prefersMonth: false }
  test.each<[string, string[], CellType]>([
    ['Umsatz', ['211,92', '1.000,00', ''], 'numberComma'],
    ['Plätze', ['3', '12'], 'numberComma'],
    ['PLZ', ['90210', '10115'], 'text'],
    ['Ort', ['01730', '90210'], 'text'],
    ['Telefon', ['+49301234'], 'text'],
    ['Kunde seit', ['13.08.2020', '1.2.2021'], 'dateDayFirst'],
    ['since', ['08/13/2020'], 'dateMonthFirst'],
    ['vip', ['ja', 'nein', ''], 'boolean'],
    ['note', ['ja', 'perhaps'], 'text'],
    ['empty', ['', ''], 'text'],
  ])('%s has the type that its cells have in common', (name, column, type) => {
    expect(typeOfColumn(name, column, hints)).toBe(type)
  })

  test.each([
    ['Vorname', 'firstName'],
    ['First name', 'firstName'],
    ['prénom', 'firstName'],
    ['Nachname', 'lastName'],
    ['Firma', 'company'],
    ['Lieblingsfarbe', 'Lieblingsfarbe'],
    ['Stadt', 'Stadt'],
  ])('%s becomes the field %s', (heading, name) => {
    expect(fieldNameOf(heading, new Set(['Stadt']))).toBe(name)
  })
})
