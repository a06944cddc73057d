// Addresses for trying out an integration: nothing is sent to them, by any transport, and each behaves as its name says. Everything else is as
// for any other message: status, attempts, events, webhooks. The domain is one that nobody can own (RFC 2606). Pure.
import type { SendResult } from '../../../mail/message'

export const ownSimulatorDomain = 'simulator.example'

export function isOwnSimulator(toEmail: string): boolean {
  return toEmail.endsWith(`@${ownSimulatorDomain}`)
}

const accepted: SendResult = {
  ...{ outcome: 'accepted', delivered: true, response: '250 2.0.0 simulated: accepted' },
  ...{ code: 250, enhanced: '2.0.0', stage: 'final' },
}

function refusal(code: number, enhanced: string, words: string) {
  return { response: `${code} ${enhanced} simulated: ${words}`, code, enhanced, stage: 'rcpt' } as const
}

const nobody: SendResult = {
  outcome: 'refused',
  blame: 'address',
  ...refusal(550, '5.1.1', 'no such user'),
}

const answers: Readonly<Record<string, (attempt: number) => SendResult | 'suppressed'>> = {
  delivered: () => accepted,
  // The complaint follows as a report of its own.
  complained: () => accepted,
  bounced: () => nobody,
  full: () => ({
    outcome: 'refused',
    blame: 'other',
    meaning: 'full',
    ...refusal(552, '5.2.2', 'mailbox full'),
  }),
  deferred: attempt =>
    attempt > 1 ? accepted : { outcome: 'deferred', ...refusal(451, '4.7.1', 'try again later') },
  suppressed: () => 'suppressed',
}

function wordOf(toEmail: string): string {
  return toEmail.slice(0, toEmail.lastIndexOf('@')).split('+', 1)[0]!
}

/** What the simulated other side says to an attempt, from 1; an unknown name is nobody's. */
export function simulatedResult(toEmail: string, attempt: number): SendResult | 'suppressed' {
  const word = wordOf(toEmail)
  return Object.hasOwn(answers, word) ? answers[word]!(attempt) : nobody
}

/** Whether the recipient calls the message spam once it has arrived. */
export function simulatesComplaint(toEmail: string): boolean {
  return isOwnSimulator(toEmail) && wordOf(toEmail) === 'complained'
}
