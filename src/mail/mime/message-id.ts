// Message-IDs of our own making: the id of the message before the sender's domain, so that what comes back is found without an index
// of its own. Pure.
import { asciiAddress, domainOf } from '../../lib/address'

/** Without brackets, as the ledger stores it; fixed when the message is made, so that every attempt has the same. */
export function messageIdOf(id: string, sender: string): string {
  return `${id}${messageIdEnd(sender)}`
}

/** What follows the id: for statements that make many messages at once. */
export function messageIdEnd(sender: string): string {
  return `@${domainOf(asciiAddress(sender))}`
}

const pattern = /^<?\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^\s<>]+?\s*>?$/i

/** The id of the message that a Message-ID of ours names; undefined for another's. */
export function emailIdOf(messageId: string): string | undefined {
  return pattern.exec(messageId.trim())?.[1]?.toLowerCase()
}

/** Without brackets and blanks. */
export function bareMessageId(messageId: string): string {
  return messageId.replace(/[<>\s]/g, '')
}
