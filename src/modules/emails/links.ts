// The links by which a recipient manages the subscription. They carry a signature, because an id alone is no secret: it appears
// in exports, logs and webhooks.
import type { Vault } from '../../platform/vault'

const purpose = 'list-management'

export interface Links {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
}

/** Links of one contact in one message; `emailId` names the message that a decision is attributed to. */
export function listLinks(vault: Vault, baseUrl: string, contactId: string, emailId: string): Links {
  const query = `t=${vault.sign(purpose, contactId)}&e=${emailId}`
  const link = (page: string): string => `${baseUrl}/${page}/${contactId}?${query}`
  return { unsubscribeUrl: link('unsubscribe'), subscribeUrl: link('subscribe'), manageUrl: link('manage') }
}

/** Whether a link's token was made for this contact by this instance. */
export function isLinkToken(vault: Vault, contactId: string, token: string): boolean {
  return vault.verify(purpose, contactId, token)
}
