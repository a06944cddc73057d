// Our Message-IDs begin with the id of the message, so what comes back is found without an index of its own. Pure.

const pattern = /^<?\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^\s<>]+?\s*>?$/i

/** The id of the message that a Message-ID of ours names; undefined for another's. */
export function emailIdOf(messageId: string): string | undefined {
  return pattern.exec(messageId.trim())?.[1]?.toLowerCase()
}

/** Without brackets and blanks, as the ledger stores it. */
export function bareMessageId(messageId: string): string {
  return messageId.replace(/[<>\s]/g, '')
}
