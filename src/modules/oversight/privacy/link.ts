// The link in the mail that leads to somebody's data: whose it is, in which project, and until when. Signed together with the address, so that
// it opens nothing any more when the contact has another one.
import { isUuid } from '../../../lib/ids'
import type { Vault } from '../../../lib/vault'

const purpose = 'privacy-link'

export interface PrivacyLink {
  projectId: string
  contactId: string
  expiresAt: Date
}

export function privacyUrl(vault: Vault, baseUrl: string, link: PrivacyLink, email: string): string {
  const facts = `${link.projectId}.${link.expiresAt.getTime().toString(36)}`
  const token = `${facts}.${vault.sign(purpose, payload(link.contactId, facts, email))}`
  return `${baseUrl}/privacy/${link.contactId}?t=${token}`
}

/** What a link says of itself; undefined for what can't be one. Nothing of it counts before `isSigned`. */
export function readPrivacyLink(contactId: string, token: string): PrivacyLink | undefined {
  if (token.length > 120 || !isUuid(contactId)) return undefined
  const [projectId = '', expires = ''] = token.split('.')
  const expiresAt = new Date(Number.parseInt(expires, 36))
  if (!isUuid(projectId) || Number.isNaN(expiresAt.getTime())) return undefined
  return { projectId, contactId: contactId.toLowerCase(), expiresAt }
}

export function isSigned(vault: Vault, contactId: string, token: string, email: string): boolean {
  const end = token.lastIndexOf('.')
  return vault.verify(
    purpose,
    payload(contactId, token.slice(0, Math.max(0, end)), email),
    token.slice(end + 1),
  )
}

function payload(contactId: string, facts: string, email: string): string {
  return JSON.stringify([contactId.toLowerCase(), facts, email])
}
