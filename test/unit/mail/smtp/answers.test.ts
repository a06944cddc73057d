// What answers to commands that were sent ahead give away.
import { describe, expect, test } from 'bun:test'
import type { SmtpStage } from '../../../../src/mail/message'
import { isOutOfStep } from '../../../../src/mail/smtp/answers'
import { parseReply } from '../../../../src/mail/smtp/reply'

/** Without a code it is a connection that broke. */
const replies = (lines: string[], also = 0) => {
  const stages: SmtpStage[] = ['mail', 'rcpt', ...Array<SmtpStage>(also).fill('rcpt'), 'data']
  return lines.map((line, at) => ({ ...parseReply([line]), stage: stages[at]! }))
}

describe('believed', () => {
  const rows: Array<[string, string[], number?]> = [
    ['a go-ahead', ['250 ok', '250 ok', '354 go']],
    ['a recipient that is refused', ['250 ok', '550 5.1.1 no', '503 5.5.1 RCPT first']],
    [
      'a recipient whose address is none',
      ['250 ok', '501 5.1.3 bad address', '554 5.5.1 no valid recipients'],
    ],
    ['a recipient that is refused, and a go-ahead', ['250 ok', '550 5.1.1 no', '354 go']],
    ['a further recipient that is refused', ['250 ok', '250 ok', '452 4.5.3 too many', '354 go'], 1],
    ['a sender that is refused', ['550 5.7.1 no', '503 5.5.1 MAIL first', '503 5.5.1 MAIL first']],
    ['a refusal at DATA', ['250 ok', '250 ok', '451 4.3.0 later']],
    ['a goodbye', ['421 4.4.2 too many messages']],
  ]
  for (const [what, lines, also] of rows) {
    test(what, () => expect(isOutOfStep(replies(lines, also))).toBe(false))
  }
})

describe('not believed', () => {
  const rows: Array<[string, string[], number?]> = [
    ['no answer', ['']],
    ['no answer after the first', ['250 ok', '']],
    ['nested MAIL', ['503 5.5.1 nested MAIL', '250 ok', '354 go']],
    ['MAIL was thrown away', ['503 5.5.1 MAIL first', '503 5.5.1 RCPT first']],
    ['half of MAIL was thrown away', ['500 5.5.2 what?', '503 5.5.1 MAIL first', '503 5.5.1 RCPT first']],
    ['MAIL was forgotten', ['250 ok', '503 5.5.1 MAIL first', '503 5.5.1 RCPT first']],
    ['RCPT was forgotten', ['250 ok', '250 ok', '503 5.5.1 RCPT first']],
    ['input at the wrong time', ['554 SMTP synchronization error']],
    ['improper pipelining', ['250 ok', '450 4.5.0 improper pipelining', '354 go']],
    ['a refusal too many at the front', ['550 5.1.1 for whom?', '250 ok', '250 ok']],
    ['a yes too many at the front', ['250 ok', '250 ok', '250 ok']],
    ['a yes too many, and further recipients', ['250 ok', '250 ok', '250 ok', '250 ok'], 1],
    ['an early go-ahead', ['250 ok', '354 go', '250 ok']],
  ]
  for (const [what, lines, also] of rows) {
    test(what, () => expect(isOutOfStep(replies(lines, also))).toBe(true))
  }
})
