// The mail that tells members of a project that it was suspended. Pure.
import { type DisabledReason, quotedName } from '../projects'

const causes: Record<DisabledReason, string> = {
  EMAIL_REPUTATION: 'too many of its messages bounced or were reported as spam',
  PAYMENT_FAILED: 'a payment failed',
  PHISHING_DETECTED: 'its messages look like phishing',
  MANUAL: 'the operator of this instance decided so',
}

export function suspensionLetter({
  name,
  reason,
  findings,
}: {
  name: string
  reason: DisabledReason
  findings: readonly string[]
}): { subject: string; text: string } {
  return {
    subject: `The project ${quotedName(name)} was suspended`,
    text: [
      `The project ${quotedName(name)} was suspended because ${causes[reason]}.`,
      ...(findings.length > 0 ? [findings.map(finding => `- ${finding}`).join('\n')] : []),
      'It sends no mail from now on. Messages that were waiting are not sent, and running campaigns have ended. Its data can still be read.',
      'The operator of this instance can enable it again once the cause is dealt with.',
    ].join('\n\n'),
  }
}
