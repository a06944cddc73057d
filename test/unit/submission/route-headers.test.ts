// Headers that steer relays, or tell the way of a message, leave by no way: /v1/send refuses them, SMTP drops them.
import { expect, test } from 'bun:test'
import * as postalMime from 'postal-mime'
import { isRouteHeader } from '../../../src/mail/mime/route-headers'
import { readSubmission } from '../../../src/modules/api/submission/read'

const names = [
  ...['X-SMTPAPI', 'X-MSYS-API', 'X-MC-BccAddress', 'X-SES-CONFIGURATION-SET', 'X-Mailgun-Tag', 'X-PM-Tag'],
  ...['Resent-To', 'Resent-Bcc', 'Received', 'ARC-Seal', 'Authentication-Results', 'Apparently-To'],
]

test('a message by SMTP loses them, and keeps its own', () => {
  const lines = ['From: a@acme.example', 'To: b@reader.example', 'Subject: S', 'X-Order: 1']
  const raw = Buffer.from([...lines, ...names.map(name => `${name}: x`), '', 'Text', ''].join('\r\n'))
  const received = { raw, from: 'a@acme.example', at: new Date(0) }
  const head = Buffer.from(readSubmission(received, postalMime).raw).toString()
  const kept = [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name)
  expect(kept.filter(isRouteHeader)).toEqual([])
  expect(head).toContain('\r\nX-Order: 1\r\n')
})
