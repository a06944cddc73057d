// What the log says of messages that are not accepted by SMTP: what the client did is no error, so that nobody outside rings an alarm.
import { expect, test } from 'bun:test'
import { AppError } from '../../../../src/lib/errors'
import { smtpRefusal } from '../../../../src/platform/smtp-server/replies'

const appError = (status: number) => new AppError(status, 'BAD_REQUEST', 'No')

test.each<[what: string, error: unknown, levels: string[]]>([
  ['a message that ended too soon, or came too slowly', appError(408), []],
  ['a message that is too large', appError(413), []],
  ['a wrong key', appError(401), []],
  ['a message without room for it', appError(503), ['info']],
  ['a failure of ours', new Error('no such table'), ['error']],
])('%s', (_, error, expected) => {
  const levels: string[] = []
  const log = { info: () => void levels.push('info'), error: () => void levels.push('error') }
  const { message } = smtpRefusal(error, log)
  expect(levels).toEqual(expected)
  expect(message).not.toContain('no such table')
})
