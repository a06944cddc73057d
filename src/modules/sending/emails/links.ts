// The links by which a recipient manages the subscription. They carry a signature, because an id alone is no secret: it appears in
// exports, logs and webhooks. The token also names the project, because a contact is found by project and id.
import type { Vault } from '../../../lib/vault'

const purpose = 'list-management'
const viewPurpose = 'message-view'

export interface Links {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
}

/** With the address at which the message itself can be read. */
export interface LinksOfMessage extends Links {
  browserUrl: string
}

export interface LinkRecipient {
  projectId: string
  contactId: string
}

/** In the place of a contact: links with it say that they are of a test, and do nothing. */
export const testRecipient = '00000000-0000-7000-8000-000000000000'

/** Links of one contact in one message, and the address of the message itself, which costs a signature of its own. */
export function listLinks(
  vault: Vault,
  baseUrl: string,
  recipient: LinkRecipient,
  emailId: string,
): LinksOfMessage {
  const links = contactLinks(vault, baseUrl, recipient, emailId)
  // A test is in no email log, where the page of a message would find it.
  if (recipient.contactId === testRecipient) return { ...links, browserUrl: links.manageUrl }
  const view = shortId(recipient.projectId) + vault.sign(viewPurpose, `${recipient.projectId}/${emailId}`)
  return { ...links, browserUrl: `${baseUrl}/message/${emailId}?t=${view}` }
}

/** Where a test of a campaign is read in a browser: as the campaign is then, since a test is kept nowhere. */
export function testViewUrl(
  vault: Vault,
  baseUrl: string,
  { id, projectId }: { id: string; projectId: string },
  variant?: string,
): string {
  const view = shortId(projectId) + vault.sign(viewPurpose, `${projectId}/${id}`)
  return `${baseUrl}/message/${id}?t=${view}${variant === undefined ? '' : `&variant=${variant}`}`
}

/** The project of a token that this instance made for the page of this message, or of tests of this campaign; undefined for any other text. */
export function projectOfView(vault: Vault, emailId: string, token: string): string | undefined {
  return readToken(vault, viewPurpose, emailId, token)
}

/** Links of one contact; `emailId` names the message that a decision is attributed to, where there is one. */
export function contactLinks(
  vault: Vault,
  baseUrl: string,
  recipient: LinkRecipient,
  emailId?: string,
): Links {
  const query = `t=${linkToken(vault, recipient)}${emailId === undefined ? '' : `&e=${emailId}`}`
  const link = (page: string): string => `${baseUrl}/${page}/${recipient.contactId}?${query}`
  return { unsubscribeUrl: link('unsubscribe'), subscribeUrl: link('subscribe'), manageUrl: link('manage') }
}

const projectLength = 22

/** A message needs its token twice, for its text and for its headers, and dozens of messages are made at once. */
const kept = 100
const tokens = new WeakMap<Vault, Map<string, string>>()

function remember(vault: Vault, about: string, make: () => string): string {
  const known = tokens.get(vault) ?? new Map<string, string>()
  tokens.set(vault, known)
  const earlier = known.get(about)
  if (earlier !== undefined) return earlier
  const token = make()
  known.set(about, token)
  // Maps iterate in the order of insertion.
  if (known.size > kept) known.delete(known.keys().next().value!)
  return token
}

/** 44 characters of base64url: the project's id, and a signature over project and contact. */
export function linkToken(vault: Vault, { projectId, contactId }: LinkRecipient): string {
  const about = `${projectId}/${contactId}`
  return remember(vault, about, () => {
    return shortId(projectId) + vault.sign(purpose, about)
  })
}

function shortId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

/** The project of a token that this instance made for this contact; undefined for any other text. */
export function projectOfToken(vault: Vault, contactId: string, token: string): string | undefined {
  return readToken(vault, purpose, contactId, token)
}

function readToken(vault: Vault, what: string, id: string, token: string): string | undefined {
  if (!/^[\w-]{44}$/.test(token)) return undefined
  const hex = Buffer.from(token.slice(0, projectLength), 'base64url').toString('hex')
  const projectId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return vault.verify(what, `${projectId}/${id}`, token.slice(projectLength)) ? projectId : undefined
}
