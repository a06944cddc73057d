// The passage of a text that is about one recipient.

/** Where servers begin to quote the message itself. */
const originals: readonly string[] = [
  ...[
    '--- below this line is a copy',
    'original message follows',
    'this is a copy of',
    'is a copy of the message',
    '-- original message --',
  ],
  ...[
    '--original message',
    'message headers follow',
    'header of the original message',
    'included is a copy',
    'unsent message follows',
    'returned message --',
  ],
  ...[
    'message text follows',
    'below is a copy of',
    'undelivered message follows',
    'original message headers',
    'original message:',
    'original mail as follows',
  ],
  ...[
    '\nreturn-path:',
    '\nreceived:',
    'full message header',
    'message header:',
    'copy of the original',
    'transcript of message follows',
  ],
]

/** What the server itself wrote. */
export function ownText(text: string): string {
  const lower = text.toLowerCase()
  const ends = originals.map(mark => lower.indexOf(mark)).filter(at => at > 0)
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends))
}

const address = /[^\s<>"'(),;:[\]=]{1,64}@[a-z0-9.-]{1,253}/i

/** The lines from each one that begins with this address to the next that begins with another; undefined where none does. */
export function passageAbout(recipient: string | undefined, text: string): string | undefined {
  const wanted = recipient?.toLowerCase()
  const found: string[] = []
  let isOurs = false
  for (const line of ownText(text).split(/\r\n|\r|\n/)) {
    const head = headOf(line)
    if (head !== undefined) isOurs = head === wanted
    if (isOurs) found.push(line)
  }
  return found.length > 0 ? found.join('\n') : undefined
}

const maxLead = 24

/** The address that a line begins with, after at most a word or a mark. */
export function headOf(line: string): string | undefined {
  if (/^\s*(?:from|sender|reply-to|message-id|in-reply-to|subject|cc|bcc|received|for|by):?\s/i.test(line))
    return undefined
  const found = address.exec(line.slice(0, 400))
  if (!found || found.index > maxLead) return undefined
  const lead = line.slice(0, found.index)
  return />>> |<<< |\b[45]\d\d\b/.test(lead) && !/^[45]\d\d[ -]<?$/.test(lead)
    ? undefined
    : found[0].toLowerCase()
}
