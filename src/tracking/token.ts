// The tokens in tracked links. They hold everything that the response needs (project, message, the link itself), so no link is stored
// anywhere and a redirect works without the database; and they are signed, so that nobody can make this host redirect elsewhere.
//
// A token of one message is one signed text. Messages of a group (a campaign) share the signed text of a link, because it is the same for
// all of them and is encoded once, and add a signed recipient after a dot, the same for all links of a message:
//
//   <kind, project, message, URL><signature>
//   <kind, project, group, URL><signature>.<message><signature>
import type { Vault } from '../lib/vault'

/** What a token stands for: a link, the picture that reveals an open, or the link that no person sees. */
export type TrackingTokenKind = 'link' | 'open' | 'trap'

export interface TrackedMessage {
  projectId: string
  emailId: string
}

/** What a token says, once its signatures have been verified. */
export interface ReadToken extends TrackedMessage {
  kind: TrackingTokenKind
  /** Where a link leads; empty for the other kinds. */
  url: string
}

const purposes = { own: 'tracking-own', shared: 'tracking-shared', recipient: 'tracking-recipient' }
const codes: Record<TrackingTokenKind, number> = { link: 1, open: 2, trap: 3 }
const kinds = new Map(Object.entries(codes).map(([kind, code]) => [code, kind as TrackingTokenKind]))

const idLength = 16
const signatureLength = 22
/** An id in base64url. */
const idTextLength = 22
const headLength = 1 + 2 * idLength

/** Longer tokens can't be ours: `maxLinkLength` bounds what goes into one. */
export const maxTokenLength = 4_096

/** The token of one message alone. */
export function ownToken(
  vault: Vault,
  { projectId, emailId }: TrackedMessage,
  kind: TrackingTokenKind,
  url = '',
): string {
  return signed(vault, purposes.own, bytesOf(kind, projectId, emailId, url))
}

/** The part that all messages of a group share; a dot and `recipientPart` make it a token. */
export function sharedPart(
  vault: Vault,
  { projectId, groupId }: { projectId: string; groupId: string },
  kind: TrackingTokenKind,
  url = '',
): string {
  return signed(vault, purposes.shared, bytesOf(kind, projectId, groupId, url))
}

/** The part that names the message; valid only with shared parts of its own group. */
export function recipientPart(
  vault: Vault,
  { projectId, emailId, groupId }: TrackedMessage & { groupId: string },
): string {
  return (
    idBytes(emailId).toString('base64url') +
    vault.sign(purposes.recipient, recipientPayload(projectId, groupId, emailId))
  )
}

/** Undefined for any text that this instance did not make. */
export function readToken(vault: Vault, token: string): ReadToken | undefined {
  if (token.length > maxTokenLength || !/^[\w-]+(?:\.[\w-]{44})?$/.test(token)) return undefined
  const dot = token.indexOf('.')
  const isShared = dot !== -1
  const bytes = verified(
    vault,
    isShared ? purposes.shared : purposes.own,
    isShared ? token.slice(0, dot) : token,
  )
  const kind = bytes && kinds.get(bytes[0]!)
  if (!bytes || !kind || bytes.length < headLength) return undefined
  const projectId = idOf(bytes.subarray(1, 1 + idLength))
  const scopeId = idOf(bytes.subarray(1 + idLength, headLength))
  const emailId = isShared ? recipientOf(vault, token.slice(dot + 1), projectId, scopeId) : scopeId
  if (emailId === undefined) return undefined
  return { kind, projectId, emailId, url: bytes.toString('utf8', headLength) }
}

function recipientOf(vault: Vault, part: string, projectId: string, groupId: string): string | undefined {
  const text = part.slice(0, idTextLength)
  const bytes = Buffer.from(text, 'base64url')
  const emailId = idOf(bytes)
  // The last character has four unused bits: only one spelling of an id is ours.
  if (bytes.toString('base64url') !== text) return undefined
  const isGood = vault.verify(
    purposes.recipient,
    recipientPayload(projectId, groupId, emailId),
    part.slice(idTextLength),
  )
  return isGood ? emailId : undefined
}

function recipientPayload(projectId: string, groupId: string, emailId: string): string {
  return `${projectId}/${groupId}/${emailId}`
}

function signed(vault: Vault, purpose: string, bytes: Buffer): string {
  const text = bytes.toString('base64url')
  return text + vault.sign(purpose, text)
}

function verified(vault: Vault, purpose: string, token: string): Buffer | undefined {
  const text = token.slice(0, -signatureLength)
  return vault.verify(purpose, text, token.slice(-signatureLength))
    ? Buffer.from(text, 'base64url')
    : undefined
}

function bytesOf(kind: TrackingTokenKind, projectId: string, scopeId: string, url: string): Buffer {
  return Buffer.concat([
    Uint8Array.of(codes[kind]),
    idBytes(projectId),
    idBytes(scopeId),
    Buffer.from(url, 'utf8'),
  ])
}

function idBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
