// What the answers of a relay mean within a conversation: which commands may fail, and what became of each recipient. Pure.
import { type StagedReply, toSendResult } from './reply'
import type { SmtpStage, Untaken } from './transport'

/** A command with its stage; one that is not `needed` may be refused, and the message goes on. */
export type SmtpCommand = [stage: SmtpStage, line: string, needed?: boolean]

export interface Announced {
  stopped: StagedReply | undefined
  also: StagedReply[]
}

/** The connection broke, or the server closes it. */
export function isGone({ code }: StagedReply): boolean {
  return code === undefined || code === 421
}

export function untakenBy(reply: StagedReply, address: string): Untaken[] {
  if (reply.code! < 300) return []
  const result = toSendResult(reply)
  return result.outcome === 'accepted' ? [] : [{ address, ...result }]
}

/** The connection went before any of the message was sent, by itself or with a 421 in place of an answer to MAIL. */
export function isUntouched({ code, stage }: StagedReply): boolean {
  return stage === 'mail'
    ? code === undefined || code === 421
    : code === undefined && (stage === 'rcpt' || stage === 'data')
}
