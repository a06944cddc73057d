import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  addressFault,
  asciiAddress,
  domainOf,
  isEmail,
  normaliseEmail,
  partOfAddress,
} from '../../../src/lib/address'
import { isDomain } from '../../../src/lib/domain-name'
import { readMailbox } from '../../../src/lib/mailbox'
import { anyCharacter } from '../../support/any-character'
import { expectLinear } from '../../support/cost'
import { spellingsOf } from '../../support/spellings'

const accepted: Array<[string, string]> = [
  ['plain', 'ada@example.com'],
  ['plus address', 'ada+tag@example.com'],
  ['apostrophe', "o'brien@example.com"],
  ['sub-domains', 'a@mail.eu.example.co.uk'],
  ['one letter', 'a@b.co'],
  ['international domain', 'ada@bücher.example'],
  ['punycode domain', 'ada@xn--bcher-kva.example'],
  ['international top level', 'ada@例え.テスト'],
  ['all atom characters', "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['dots inside', 'a.b.c@example.com'],
  ['local part of 64', `${'a'.repeat(64)}@example.com`],
]

const refused: Array<[string, string]> = [
  ['empty', ''],
  ['no at sign', 'example.com'],
  ['no local part', '@example.com'],
  ['no domain', 'ada@'],
  ['two at signs', 'a@b@example.com'],
  ['single label', 'ada@localhost'],
  ['number as top level', 'ada@127.0.0.1'],
  ['address literal', 'ada@[127.0.0.1]'],
  ['leading dot', '.ada@example.com'],
  ['doubled dot', 'a..b@example.com'],
  ['trailing dot of the local part', 'ada.@example.com'],
  ['trailing dot of the domain', 'ada@example.com.'],
  ['empty label', 'ada@example..com'],
  ['hyphen at a label end', 'ada@example-.com'],
  ['space', 'ada lovelace@example.com'],
  ['surrounding space', ' ada@example.com'],
  ['line break', 'ada@example.com\r\nBcc: x@example.com'],
  ['newline at the end', 'ada@example.com\n'],
  ['NUL', 'ada\0@example.com'],
  ['quotes', '"ada"@example.com'],
  ['angle brackets', '<ada@example.com>'],
  ['list', 'a@example.com,b@example.com'],
  ['non-ASCII local part', 'adä@example.com'],
  ['underscore in the domain', 'ada@ex_ample.com'],
  ['local part of 65', `${'a'.repeat(65)}@example.com`],
  ['label of 64', `ada@${'a'.repeat(64)}.com`],
  [
    '255 characters',
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(9)}.f`,
  ],
  ['percent escape beside Unicode', 'ada@bü%2ecom.example'],
  ['port beside Unicode', 'ada@bücher.example:25'],
  ['line separator in the domain', 'ada@exa\u2028mple.com'],
]

describe('addresses', () => {
  test.each(accepted)('%s is accepted', (_name, address) => expect(isEmail(address)).toBe(true))
  test.each(refused)('%s is refused', (_name, address) => expect(isEmail(address)).toBe(false))

  test('normalising trims and lower-cases', () => {
    expect(normaliseEmail('  Ada@Example.COM\n')).toBe('ada@example.com')
  })

  test('the domain is what follows the last at sign', () => {
    expect(domainOf('Ada@Mail.Example.com')).toBe('mail.example.com')
    expect(domainOf('nobody')).toBe('')
  })

  test('headers get the Punycode form', () => {
    expect(asciiAddress('ada@bücher.example')).toBe('ada@xn--bcher-kva.example')
    expect(asciiAddress('ada@example.com')).toBe('ada@example.com')
  })

  test('a domain needs two labels', () => {
    expect(isDomain('example.com')).toBe(true)
    expect(isDomain('bücher.example')).toBe(true)
    expect(isDomain('localhost')).toBe(false)
  })

  test('whatever is accepted holds nothing that could break a header or an SMTP line', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: anyCharacter })), text => {
        if (!isEmail(text)) return
        expect(text).not.toMatch(/[\s<>",;:\\()[\]\p{Cc}]/u)
        expect(asciiAddress(text)).toMatch(/^[\x21-\x7e]+$/)
      }),
      { numRuns: 2000 },
    )
  })

  test('every spelling of a mailbox becomes one, and that one stays', () => {
    const mailboxes = [
      'u3@reader.example',
      "o'brien+x@münchen.example",
      'ada@straße.example',
      'x@例え.テスト',
    ]
    for (const mailbox of mailboxes)
      fc.assert(
        fc.property(spellingsOf(mailbox), text => {
          expect([text, normaliseEmail(text)]).toEqual([text, mailbox])
          expect(addressFault(text)).toBeUndefined()
        }),
        { numRuns: 500 },
      )
  })

  test('spelled once is spelled for good, whatever it is, and what is an address then goes to the same mailbox', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc
            .tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }))
            .map(parts => parts.join('@')),
          fc
            .tuple(fc.emailAddress(), fc.constantFrom('"', '<', '>', '\u200b', 'ß', '\u200d', ' '))
            .map(parts => parts.join('')),
        ),
        text => {
          const once = normaliseEmail(text)
          expect(normaliseEmail(once)).toBe(once)
          expect(isEmail(once)).toBe(addressFault(text) === undefined)
          if (isEmail(once)) expect(normaliseEmail(asciiAddress(once))).toBe(once)
        },
      ),
      { numRuns: 3000 },
    )
  })

  const reasons: Array<[string, RegExp]> = [
    ['a@reader.example, b@reader.example', /several.*array/],
    ['Ada <a@reader.example>, Bob <b@reader.example>', /several.*array/],
    ['Ada <a@reader.example>; b@reader.example', /several.*array/],
    ['Team: a@reader.example, b@reader.example;', /several.*array/],
    ['Team: a@reader.example;', /several.*array/],
    ['"Ada" <a@reader.example>, "Bob" <b@reader.example>', /several.*array/],
    ['a@reader.example, Bob <b@reader.example>', /several.*array/],
    ['jürgen@reader.example', /mail servers refuse "ü"/],
    ['"a b"@reader.example', /without quotes/],
    ['a@b|c.example', /^must be an email address$/],
    ['ada', /^must be an email address$/],
    ['a@ä_b.example', /its domain/],
  ]
  test.each(reasons)('%j is refused with the reason', (text, reason) =>
    expect(addressFault(text)).toMatch(reason),
  )

  const named: Array<[string, string, string | null]> = [
    ['Ada <ada@reader.example>', 'ada@reader.example', 'Ada'],
    ['"Kock, Arne" <a@reader.example>', 'a@reader.example', 'Kock, Arne'],
    ['Grupo OLOM, Inc <a@reader.example>', 'a@reader.example', 'Grupo OLOM, Inc'],
    ['"b@x.example, c" <a@reader.example>', 'a@reader.example', 'b@x.example, c'],
    ['ada@reader.example <Ada@reader.example>', 'ada@reader.example', 'ada@reader.example'],
    ['Sales @ Acme <s@reader.example>', 's@reader.example', 'Sales @ Acme'],
    ['<a@reader.example>', 'a@reader.example', null],
    ['❤️ Ada <a@reader.example>', 'a@reader.example', '❤️ Ada'],
  ]
  test.each(named)('%s is one mailbox', (text, email, name) => {
    expect([normaliseEmail(text), readMailbox(text).name]).toEqual([email, name])
  })

  test.each([
    ['Ada <ADA@xn--mnchen-3ya.example>', 'ada@münchen.example'],
    ['@xn--mnchen-3ya.example', '@münchen.example'],
    ['ADA@mün\u00ad', 'ada@mün'],
    ['ada@', 'ada@'],
    [' Chen.Example', 'chen.example'],
    ['@', '@'],
    ['', ''],
  ])('%s is searched for as %s', (text, part) => {
    expect(partOfAddress(text)).toBe(part)
  })

  test('a hostile text is judged in linear time', () => {
    expectLinear(times => expect(isEmail(`${'a.'.repeat(times)}@b.c`)).toBe(false), 100_000)
    expectLinear(times => expect(isEmail(`a@${'b.'.repeat(times)}`)).toBe(false), 100_000)
    expectLinear(times => expect(isEmail('@'.repeat(times))).toBe(false), 200_000)
    for (const part of ['"\\', 'a@b, ', '<', '\u200b ', 'ü@'])
      expectLinear(times => expect(addressFault(part.repeat(times))).toBeString(), 100_000)
  })
})
