// The link of an invitation that its sender may copy and hand on. Unlike the one in the mail it proves nothing about the address: whoever
// could read it there could otherwise take the address, and with it what others offer to it. Derived, so there is nothing to store.
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../platform/context'
import { tokenLink } from '../users'

const purpose = 'invitation-link'

type Tools = Pick<Context, 'vault' | 'config'>

export function sharedLink({ vault, config }: Tools, invitationId: string): string {
  const token = idDigits(invitationId) + proofOf(vault, invitationId).toString('hex')
  return tokenLink(config.baseUrl, 'invitation', token)
}

/** The invitation that a token of ours names; undefined for any other text. */
export function invitationOf(vault: Tools['vault'], token: string): string | undefined {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined
  const id = token.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(proofOf(vault, id), Buffer.from(token.slice(32), 'hex')) ? id : undefined
}

const idDigits = (id: string): string => id.replaceAll('-', '')

const proofOf = (vault: Tools['vault'], id: string): Buffer =>
  Buffer.from(vault.sign(purpose, id), 'base64url').subarray(0, 16)
