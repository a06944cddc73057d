// The link in the mail that asks for the confirmation: which request it is about, which version of it, and until when. Signed.
import { isUuid } from '../../lib/ids'
import type { Vault } from '../../platform/vault'

const purpose = 'form-confirmation'

export interface ConfirmLink {
  requestId: string
  version: number
  expiresAt: Date
}

export function confirmUrl(vault: Vault, baseUrl: string, formId: string, link: ConfirmLink): string {
  return `${baseUrl}/forms/${formId}/confirm?t=${tokenOf(vault, formId, link)}`
}

export function tokenOf(
  vault: Vault,
  formId: string,
  { requestId, version, expiresAt }: ConfirmLink,
): string {
  const facts = `${requestId}.${version.toString(36)}.${expiresAt.getTime().toString(36)}`
  return `${facts}.${vault.sign(purpose, payload(formId, facts))}`
}

/** Undefined for a text that is not ours, or was for another form. Whether its time is over is another question. */
export function readConfirmToken(vault: Vault, formId: string, token: string): ConfirmLink | undefined {
  if (token.length > 120) return undefined
  const end = token.lastIndexOf('.')
  const facts = token.slice(0, Math.max(0, end))
  if (!vault.verify(purpose, payload(formId, facts), token.slice(end + 1))) return undefined
  const [requestId = '', version = '', expires = ''] = facts.split('.')
  if (!isUuid(requestId)) return undefined
  return {
    requestId,
    version: Number.parseInt(version, 36),
    expiresAt: new Date(Number.parseInt(expires, 36)),
  }
}

function payload(formId: string, facts: string): string {
  return `${formId}/${facts}`
}
