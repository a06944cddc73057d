// The rules of forms as tables: mailboxes, what fields take, colours, what a definition may say.
import { describe, expect, test } from 'bun:test'
import { textOn } from '../../../src/lib/contrast'
import { formFaults, toFields } from '../../../src/modules/features/forms/model'
import type { FormField } from '../../../src/modules/features/forms/schema'
import { mailboxOf, readValues } from '../../../src/modules/features/forms/values'

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['ada+news@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['Ada@EXAMPLE.com', 'ada@example.com'],
  ['ada@bücher.example', 'ada@bücher.example'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

const field = (given: Partial<FormField>): FormField => ({
  ...{ key: 'a', label: 'A', type: 'text', required: false },
  ...given,
})

describe('a field', () => {
  test.each<[Partial<FormField>, string, string | number | boolean | undefined]>([
    [{}, ' Ada ', 'Ada'],
    [{}, '', undefined],
    [{ required: true }, '  ', 'fault'],
    [{ maxLength: 3 }, 'Adam', 'fault'],
    [{}, 'x'.repeat(201), 'fault'],
    [{}, 'a\0b', 'fault'],
    [{ type: 'number' }, '4.5', 4.5],
    [{ type: 'number' }, '-1e3', -1000],
    [{ type: 'number' }, 'four', 'fault'],
    [{ type: 'number' }, 'Infinity', 'fault'],
    [{ type: 'number' }, '9'.repeat(41), 'fault'],
    [{ type: 'number', min: 1, max: 5 }, '5', 5],
    [{ type: 'number', min: 1, max: 5 }, '6', 'fault'],
    [{ type: 'number', required: true }, '0', 0],
    [{ type: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'date' }, '2026-02-29', 'fault'],
    [{ type: 'date' }, '29.02.2024', 'fault'],
    [{ type: 'choice', options: ['A', 'B'] }, 'B', 'B'],
    [{ type: 'choice', options: ['A', 'B'] }, 'C', 'fault'],
    [{ type: 'checkbox' }, 'on', true],
    [{ type: 'checkbox' }, '', false],
    [{ type: 'checkbox', required: true }, '', 'fault'],
  ])('%j with %j is %j', (given, entered, expected) => {
    const { values, faults } = readValues([field(given)], new URLSearchParams({ 'data.a': entered }))
    expect(faults.length > 0 ? 'fault' : values['a']).toEqual(expected)
  })
})

test('what stands on a colour can be read, whatever the colour', () => {
  expect(['#000000', '#ffffff', '#0b7285', '#ffd43b', '#777777'].map(textOn)).toEqual([
    ...['#ffffff', '#000000', '#ffffff', '#000000', '#000000'],
  ] as never)
})

describe('a definition', () => {
  const text = { key: 'a', label: 'A', type: 'text' as const }
  test.each([
    [{ fields: [text, text] }, ['fields.1.key']],
    [{ fields: [{ ...text, key: 'email' }] }, ['fields.0.key']],
    [{ fields: [{ ...text, label: ' ' }] }, ['fields.0.label']],
    [{ fields: [{ ...text, type: 'choice' as const }] }, ['fields.0.options']],
    [{ fields: [{ ...text, type: 'choice' as const, options: ['A', 'A'] }] }, ['fields.0.options']],
    [{ fields: [{ ...text, type: 'number' as const, min: 2, max: 1 }] }, ['fields.0.max']],
    [{ redirectUrl: 'javascript:alert(1)' }, ['redirectUrl']],
    [{ redirectUrl: 'https://user@evil.example/' }, ['redirectUrl']],
    [{ redirectUrl: '//evil.example' }, ['redirectUrl']],
    [{ redirectUrl: 'http://acme.example/a?b=c#d' }, []],
    [{ redirectUrl: null, look: { heading: null, text: 'a\nb' } }, []],
    [{ look: { heading: 'a\0' } }, ['look.heading']],
  ])('%j has the faults %j', (given, expected) => {
    expect(formFaults(given).map(fault => fault.field)).toEqual(expected)
  })

  test('keeps of a field what means something for its type', () => {
    const given = { key: 'a', label: 'A', type: 'date' as const, maxLength: 3, min: 1, options: ['x'] }
    expect(toFields([given])).toEqual([{ key: 'a', label: 'A', type: 'date', required: false }])
  })
})
