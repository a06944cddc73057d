// A run that was told to stop hands over nothing more, and is waited for as long as what it has begun to hand over may take: no other run
// sends the message meanwhile.
import { expect, test } from 'bun:test'
import { parseSmtpUrl } from '../../src/mail/smtp/options'
import { systemEmailKinds } from '../../src/modules/accounts/system-emails/kinds'
import { campaignKinds } from '../../src/modules/features/campaigns/kinds'
import { emailKinds } from '../../src/modules/sending/emails'
import { sendmailLimitMs } from '../../src/platform/transports/sendmail'
import { sesTimeLimit } from '../../src/platform/transports/ses'

/** Longer than any message may be: 40 MB. */
const largest = 40 * 1024 * 1024

/** From the last look at the signal to the answer. */
const longest = {
  // One more piece of the body, and the answer to the whole of it.
  smtp: (({ bodyMs, finalMs }) => bodyMs + finalMs)(parseSmtpUrl('smtp://relay.example').limits),
  ses: sesTimeLimit(largest),
  sendmail: sendmailLimitMs,
}

for (const definition of [
  emailKinds.deliver,
  emailKinds.deliverWorkflow,
  emailKinds.copies,
  campaignKinds.send,
  systemEmailKinds.mail,
])
  for (const [transport, ms] of Object.entries(longest))
    test(`${definition.kind} waits longer than ${transport} may take`, () => {
      expect(definition.graceMs).toBeGreaterThan(ms)
    })
