// What a transport gets, bytes and an envelope, and what the other side answers.

import type { Allocate } from '../lib/arena'
import type { CpuThrottle } from '../lib/cpu-throttle'
import type { Meaning } from './bounces'

export interface Envelope {
  /** The sender, who gets what comes back unless there is a return path. */
  from: string
  /** An address of this message alone; a provider that reports otherwise has no use for it. */
  returnPath?: string
  to: string
  /** Further recipients of the same message. */
  also?: readonly string[]
}

export interface FinishedMessage {
  /** The e-mail row's id, for logs and file names. */
  id: string
  envelope: Envelope
  /** The complete RFC 5322 message, signed, with CRLF line ends. */
  raw: Uint8Array
  /** All its line ends are whole. */
  isComposed?: true
  /** For what is made of it on its way. Like `raw`, it is used again once there is an answer. */
  allocate?: Allocate
  /** A long one is handed over in pieces, each of which waits for this. */
  throttle?: CpuThrottle
  /** Aborts when another run may send the message: none of it that the other side could take may follow. */
  signal?: AbortSignal
}

/** Where in the conversation the other side spoke. */
export type SmtpStage =
  | 'connect'
  | 'greeting'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body'
  | 'final'

export interface Reply {
  /** The other side's words, or ours for a broken connection; at most 1,000 characters. */
  response: string
  /** SMTP reply code, or the HTTP status of a provider's answer, where there was one. */
  code?: number
  /** Enhanced status code (RFC 3463), `5.1.1`. */
  enhanced?: string
  stage?: SmtpStage
}

export type SendResult =
  /**
   * The other side took responsibility. `delivered` when that is the last we will hear of a success (smtp, outbox). `untaken`: further
   * recipients that it did not take the message for.
   */
  | ({ outcome: 'accepted'; delivered: boolean; providerId?: string; untaken?: readonly Untaken[] } & Reply)
  | NotTaken

type NotTaken =
  /**
   * Try again later: 4xx, throttling, a broken connection. `mayHaveArrived`: the connection broke when the other side could have the whole
   * message. `internal`: nothing was handed over, and the other side is not to blame. `withdrawn`: its signal aborted before that.
   */
  | ({ outcome: 'deferred'; mayHaveArrived?: true; internal?: true; withdrawn?: true } & Reply)
  /**
   * Permanently refused. `address`: the mailbox doesn't exist, so the address is suppressed; `other`: anything else, with its `meaning` if the
   * other side gave a reason.
   */
  | ({ outcome: 'refused'; blame: 'address' | 'other'; meaning?: Meaning } & Reply)

/** A further recipient, and why the other side did not take the message for it. */
export type Untaken = { address: string } & NotTaken

/** The answer to a message whose signal aborted before the other side could have it. */
export const withdrawn = {
  outcome: 'deferred',
  internal: true,
  withdrawn: true,
  response: 'the run that sent it was over; nothing was handed over',
} as const satisfies SendResult
