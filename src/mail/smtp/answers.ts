// The commands of a message, and what a relay's answers to them mean: which may fail, what became of each recipient, whether they are
// answers at all. Pure.
import { isClosing } from '../bounces'
import type { SmtpStage, Untaken } from '../message'
import type { WireMessage } from './message'
import { type StagedReply, toSendResult } from './reply'

/** A command with its stage; one that is not `needed` may be refused, and the message goes on. */
export type SmtpCommand = [stage: SmtpStage, line: string, needed?: boolean]

export function commandsOf({ mail, rcpt, also }: WireMessage): SmtpCommand[] {
  return [
    ['mail', mail],
    ['rcpt', rcpt],
    ...also.map((line): SmtpCommand => ['rcpt', line, false]),
    ['data', 'DATA\r\n'],
  ]
}

export function inOneGroup(commands: readonly SmtpCommand[]): string {
  return commands.map(([, line]) => line).join('')
}

export interface Announced {
  stopped: StagedReply | undefined
  also: StagedReply[]
  /** The commands had been sent ahead, and these are no answers to them. */
  lostStep: boolean
}

/** The connection broke, or the server closes it. */
export function isGone({ code }: StagedReply): boolean {
  return code === undefined || isClosing(code)
}

export function untakenBy(reply: StagedReply, address: string): Untaken[] {
  if (reply.code! < 300) return []
  const result = toSendResult(reply)
  return result.outcome === 'accepted' ? [] : [{ address, ...result }]
}

/** The connection went before any of the message was sent, by itself or with a 421 in place of an answer to MAIL. */
export function isUntouched({ code, stage }: StagedReply): boolean {
  return stage === 'mail'
    ? code === undefined || isClosing(code)
    : code === undefined && (stage === 'rcpt' || stage === 'data')
}

/** What a relay says that did not expect what it got, at the moment when it got it. */
export function complainsOfOrder({ code = 0, response }: StagedReply): boolean {
  return code === 500 || code === 502 || code === 503 || (code >= 400 && /synchroni|pipelin/i.test(response))
}

/**
 * Whether these can't be the answers to MAIL, RCPT and DATA of one message that were sent ahead: the commands were thrown away, as a whole or
 * from the beginning, or words that answer nothing came in between. Saying them again costs little, believing the answers a message.
 */
export function isOutOfStep(replies: readonly StagedReply[]): boolean {
  const isNo = ({ code, stage }: StagedReply): boolean => code! >= 300 && !(stage === 'data' && code === 354)
  const refused = replies.find(isNo)
  return (
    replies.some(({ code }) => code === undefined) ||
    (refused !== undefined && complainsOfOrder(refused)) ||
    // After a MAIL that was refused nothing else is taken.
    (refused?.stage === 'mail' && !replies.every(isNo)) ||
    replies.some(({ code, stage }) => (stage === 'data' ? code! < 300 : code! >= 300 && code! < 400))
  )
}
