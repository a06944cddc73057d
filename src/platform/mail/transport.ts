// How finished messages leave: one interface, implemented by outbox, SMTP, SES, sendmail and (for tests) memory. A transport gets bytes
// and an envelope; it composes nothing and decides nothing about retries.
import type { Meaning } from '../../bounces'
import type { Allocate } from '../../lib/arena'
import type { Breather } from '../../lib/breather'
import type { Ways } from './ways/ways'

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
  breathe?: Breather
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
   * message. `internal`: nothing was handed over, and the other side is not to blame.
   */
  | ({ outcome: 'deferred'; mayHaveArrived?: true; internal?: true } & Reply)
  /**
   * Permanently refused. `address`: nobody is there, so that the address is suppressed; `other`: anything else, and `meaning` says what, where
   * the other side did.
   */
  | ({ outcome: 'refused'; blame: 'address' | 'other'; meaning?: Meaning } & Reply)

/** A further recipient, and why the other side did not take the message for it. */
export type Untaken = { address: string } & NotTaken

/** What is known about a proof that somebody may send from a domain. */
export const identityStatuses = ['pending', 'verified', 'failed'] as const
export type IdentityStatus = (typeof identityStatuses)[number]

/** A sender domain as its provider knows it. */
export interface SenderIdentity {
  /** Each is the name and the target of a CNAME record. */
  tokens: string[]
  /** The domain that the targets end with. */
  zone: string
  status: IdentityStatus
  /** False while the provider could not look. */
  isKnown: boolean
  /** False for one that somebody else made in the same account. */
  isOurs: boolean
  /** The provider also mails each bounce to the sender, in addition to reporting it to us. */
  forwardsBounces: boolean
}

export interface SenderIdentities {
  find(domain: string): Promise<SenderIdentity | undefined>
  /** Creates it, or returns the one that is there. */
  register(domain: string): Promise<SenderIdentity>
  /** Lets the provider look again after it gave up. */
  restart(domain: string): Promise<void>
  /** Bounces are reported to us, so that nobody needs them as mail. */
  stopForwarding(domain: string): Promise<void>
  /** Takes back one of ours; nothing happens to any other. */
  remove(domain: string): Promise<void>
}

export interface Transport {
  readonly name: 'outbox' | 'smtp' | 'ses' | 'sendmail' | 'memory' | 'several'
  /** True when we put our own DKIM signature on what this transport sends. */
  readonly signsItself: boolean
  /** Messages a second that the transport allows, for all projects together; absent where it names no limit. */
  currentRate?(): Promise<number>
  /** The register of sender domains of a provider that signs for us. */
  readonly identities?: SenderIdentities
  /** Where it stands for several: those that it is made of. */
  readonly ways?: Ways
  send(message: FinishedMessage): Promise<SendResult>
  /** Reaches the other side without sending anything; throws with a clear message when it can't. For `doctor`. */
  verify(): Promise<string>
  close(): Promise<void>
}
