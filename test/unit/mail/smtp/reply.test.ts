// SMTP replies in any pieces, and what each means for the message.
import { describe, expect, test } from 'bun:test'
import type { SmtpStage } from '../../../../src/mail/message'
import { makeReplyReader, parseReply, toSendResult } from '../../../../src/mail/smtp/reply'

const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('reading replies', () => {
  test('a reply in single bytes is the same as in one piece', () => {
    const text = '250-first\r\n250-second\r\n250 2.0.0 thïrd\r\n'
    const whole = makeReplyReader().push(bytes(text))
    const reader = makeReplyReader()
    const single = [...bytes(text)].flatMap(byte => reader.push(new Uint8Array([byte])))
    expect(single).toEqual(whole)
    expect(whole).toEqual([
      {
        code: 250,
        enhanced: '2.0.0',
        response: '250 first second 2.0.0 thïrd',
        lines: ['first', 'second', '2.0.0 thïrd'],
      },
    ])
  })

  test('several replies in one piece come apart, the unfinished one waits', () => {
    const reader = makeReplyReader()
    expect(
      reader.push(bytes('250 a\r\n550-5.1.1 b\r\n550 5.1.1 c\r\n35')).map(reply => reply.response),
    ).toEqual(['250 a', '550 5.1.1 b c'])
    expect(reader.push(bytes('4 go\n'))[0]).toMatchObject({ code: 354, response: '354 go' })
  })

  const nonsense = [
    'HTTP/1.1 400 Bad Request',
    '',
    '99 x',
    '250x',
    '250-a\r\n251 b',
    '150 no such class',
    '650 neither',
  ]
  for (const text of nonsense) {
    test(`${JSON.stringify(text)} is no reply`, () => {
      expect(parseReply(text.split('\r\n')).code).toBeUndefined()
    })
  }

  test('a code alone is a reply', () => {
    expect(parseReply(['250'])).toMatchObject({ code: 250, response: '250' })
  })

  test('a line without end and a reply without end are given up', () => {
    expect(makeReplyReader().push(bytes('250 '.padEnd(70_000, 'x')))[0]!.code).toBeUndefined()
    const endless = makeReplyReader().push(bytes('250-more\r\n'.repeat(20_000)))
    expect(endless.length).toBeGreaterThan(0)
    expect(endless.every(reply => reply.response.length <= 1_000)).toBe(true)
  })

  test('control characters and length are tamed', () => {
    const reply = parseReply([`550 5.1.1 \u001b[31mred\u0007${'x'.repeat(3_000)}`])
    expect(reply.response).toStartWith('550 5.1.1 [31mred xxx')
    expect(reply.response.length).toBe(1_000)
  })

  const enhanced: Array<[string, string | undefined]> = [
    ['550 5.1.1 no such user', '5.1.1'],
    ['550 5.7.26 unauthenticated', '5.7.26'],
    ['550 5.1.1', '5.1.1'],
    ['550 5.1.1.4 an address', undefined],
    ['550 192.0.2.1 blocked', undefined],
    ['550 user 5.1.1 unknown', undefined],
    ['250 3.1.1 no such class', undefined],
  ]
  for (const [line, code] of enhanced) {
    test(`the enhanced code of "${line}" is ${code ?? 'absent'}`, () => {
      expect(parseReply([line]).enhanced).toBe(code)
    })
  }
})

describe('what a reply means', () => {
  const rows: Array<[SmtpStage, string, 'accepted' | 'deferred' | 'address' | 'other']> = [
    ['final', '250 2.0.0 queued', 'accepted'],
    ['final', '250 OK', 'accepted'],
    ['rcpt', '550 no such user', 'address'],
    ['rcpt', '551 not our user', 'address'],
    ['rcpt', '553 mailbox name not allowed', 'other'],
    ['rcpt', '550 no', 'other'],
    ['rcpt', '552 mailbox full', 'other'],
    ['rcpt', '554 no', 'other'],
    ['rcpt', '550 5.1.1 no such user', 'address'],
    ['rcpt', '550 5.1.10 null MX', 'address'],
    ['rcpt', '550 5.1.2 bad destination', 'address'],
    ['rcpt', '550 5.2.1 mailbox disabled', 'other'],
    ['rcpt', '554 5.1.1 no such user', 'address'],
    ['rcpt', '550 5.2.2 mailbox full', 'other'],
    ['rcpt', '550 5.7.1 policy', 'other'],
    ['rcpt', '554 5.7.1 relay access denied', 'other'],
    ['rcpt', '550 relay not permitted', 'other'],
    ['rcpt', '550 authentication required', 'other'],
    ['rcpt', '550 5.1.8 sender domain not found', 'other'],
    ['rcpt', '553 5.1.7 bad sender address', 'other'],
    ['rcpt', '530 5.7.0 authentication required', 'deferred'],
    ['rcpt', '450 4.2.0 greylisted', 'deferred'],
    ['rcpt', '451 try later', 'deferred'],
    ['rcpt', '452 4.2.2 mailbox full', 'deferred'],
    ['rcpt', '421 4.3.2 shutting down', 'deferred'],
    ['rcpt', '550 4.2.1 only the plain code is permanent', 'deferred'],
    ['rcpt', '450 5.1.1 only the enhanced code is permanent', 'deferred'],
    ['mail', '550 5.1.1 who speaks of the sender', 'other'],
    ['mail', '550 sender rejected', 'other'],
    ['mail', '552 5.3.4 too big', 'other'],
    ['mail', '451 4.3.0 later', 'deferred'],
    ['data', '554 5.5.1 no valid recipients', 'other'],
    ['data', '451 later', 'deferred'],
    ['data', '250 no go-ahead', 'deferred'],
    ['final', '550 5.1.1 no such user', 'address'],
    ['final', '550 spam', 'other'],
    ['final', '554 5.7.1 spam', 'other'],
    ['final', '552 5.2.3 too long', 'other'],
    ['final', '452 4.3.1 disk full', 'deferred'],
    ['final', '421 4.4.2 time-out', 'deferred'],
    ['greeting', '554 5.7.1 you are blocked', 'deferred'],
    ['greeting', '421 too busy', 'deferred'],
    ['auth', '535 5.7.8 wrong password', 'deferred'],
    ['mail', '530 5.7.0 sign in first', 'deferred'],
    ['starttls', '554 5.7.3 not now', 'deferred'],
    ['auth', '454 4.7.0 later', 'deferred'],
  ]
  for (const [stage, line, meaning] of rows) {
    test(`${stage}: ${line} -> ${meaning}`, () => {
      const result = toSendResult({ ...parseReply([line]), stage })
      expect(result.outcome === 'refused' ? result.blame : result.outcome).toBe(meaning)
      expect(result).toMatchObject({ stage, code: Number(line.slice(0, 3)), response: line })
      expect(result).not.toHaveProperty('lines')
    })
  }

  test('a broken connection is deferred at every stage', () => {
    for (const stage of [
      'connect',
      'greeting',
      'ehlo',
      'starttls',
      'auth',
      'mail',
      'rcpt',
      'data',
      'body',
      'final',
    ] as const) {
      expect(toSendResult({ stage, response: 'closed' }).outcome).toBe('deferred')
    }
  })
})
