// Headers that steer relays, or tell the way of a message, leave by no way: /v1/send refuses them, SMTP drops them.
import { expect, test } from 'bun:test'
import { isRouteHeader } from '../../../src/mime/route-headers'
import { readMessage } from '../../../src/modules/submission/message'

const names = [
  ...['X-SMTPAPI', 'X-MSYS-API', 'X-MC-BccAddress', 'X-SES-CONFIGURATION-SET', 'X-Mailgun-Tag', 'X-PM-Tag'],
  ...['Resent-To', 'Resent-Bcc', 'Received', 'ARC-Seal', 'Authentication-Results', 'Apparently-To'],
]

test('a message by SMTP loses them, and keeps its own', async () => {
  const lines = ['From: a@acme.example', 'To: b@reader.example', 'Subject: S', 'X-Order: 1']
  const raw = Buffer.from([...lines, ...names.map(name => `${name}: x`), '', 'Text', ''].join('\r\n'))
  const { submission } = await readMessage(
    raw,
    { from: 'a@acme.example', to: ['b@reader.example'] },
    'a project',
  )
  expect(Object.keys(submission.headers ?? {}).filter(isRouteHeader)).toEqual([])
  expect(submission.headers).toMatchObject({ 'X-Order': '1' })
})
