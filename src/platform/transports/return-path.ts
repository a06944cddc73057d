// The return path of a message (VERP): an address of its own, at a domain whose mail comes back to us. It names the message and carries a
// signature, so that nobody can have a bounce reported for a message that they never got. Servers may change the case of letters. Pure.
import { domainOf } from '../../lib/address'
import { isUuid } from '../../lib/ids'
import { isSameText } from '../../lib/same-text'
import type { Vault } from '../../lib/vault'

const purpose = 'return-path'
/** 80 bits: a guess costs a connection, and what it gains is one bounce. */
const signatureLength = 20
const pattern = /^b-([0-9a-f]{32})-([0-9a-f]{20})$/

type Signing = Pick<Vault, 'sign'>

/** 55 characters before the @, of the 64 that are allowed. */
export function returnPathOf(vault: Signing, domain: string, emailId: string): string {
  return `b-${emailId.replaceAll('-', '')}-${signatureOf(vault, emailId)}@${domain}`
}

/** The id of the message whose return path this is; undefined for any other address. */
export function emailIdOfReturnPath(vault: Signing, domain: string, address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const [, digits = '', signature = ''] = pattern.exec(address.slice(0, at).toLowerCase()) ?? []
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!isUuid(id) || domainOf(address).toLowerCase() !== domain) return undefined
  return isSameText(signature, signatureOf(vault, id)) ? id : undefined
}

function signatureOf(vault: Signing, id: string): string {
  return Buffer.from(vault.sign(purpose, id), 'base64url').toString('hex').slice(0, signatureLength)
}
