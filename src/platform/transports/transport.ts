// How finished messages leave: one interface, implemented by outbox, SMTP, SES, sendmail and (for tests) memory. A transport gets bytes
// and an envelope; it composes nothing and decides nothing about retries.
import type { FinishedMessage, SendResult } from '../../mail/message'
import type { Routes } from './several/several'

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
  readonly routes?: Routes
  send(message: FinishedMessage): Promise<SendResult>
  /** Reaches the other side without sending anything; throws with a clear message when it can't. For `doctor`. */
  verify(): Promise<string>
  close(): Promise<void>
}
