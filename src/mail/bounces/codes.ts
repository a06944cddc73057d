// Enhanced status codes (RFC 3463, 5248, 7505 and Exchange Online's own) and SMTP codes, where the words say nothing.
import type { Meaning } from './refusal'

const exactly: Readonly<Record<string, Meaning>> = {
  '5.1.1': 'dead',
  '5.1.2': 'dead',
  '5.1.3': 'dead',
  '5.1.6': 'dead',
  '5.1.7': 'refused',
  '5.1.8': 'refused',
  // The domain takes no mail (null MX).
  '5.1.10': 'dead',
  // Exchange Online: the other server knows no such recipient.
  '5.1.351': 'dead',
  '5.2.1': 'dead',
  '5.2.2': 'full',
  '4.2.2': 'full',
  '5.2.3': 'refused',
  '5.3.4': 'refused',
  // No such host; Exchange Online: no such domain.
  '5.4.4': 'dead',
  '5.4.310': 'dead',
  '5.4.6': 'refused',
  '5.5.1': 'refused',
  '5.5.2': 'refused',
  '5.5.3': 'refused',
  '5.5.4': 'refused',
  // The account exists and is disabled (RFC 7372 has no better word); its provider may open it again.
  '5.7.13': 'unknown',
  // The mailbox, or the whole domain, has another owner by now (RFC 7293).
  '5.7.17': 'dead',
  '5.7.18': 'dead',
}

/** Classes in which each code is about the message, or a policy. */
const classes: ReadonlyArray<readonly [start: string, meaning: Meaning]> = [
  ['5.6.', 'refused'],
  ['5.7.', 'refused'],
  ['4.7.', 'refused'],
]

/** SMTP codes. 556: the host never takes mail (RFC 7504, 7505). The others are about commands, which are ours. */
const plainly: Readonly<Record<number, Meaning>> = {
  500: 'refused',
  502: 'refused',
  503: 'refused',
  504: 'refused',
  556: 'dead',
}

/** What codes mean on their own; `unknown` where they leave it open. */
export function meaningOfCode(status: string | undefined, code: number | undefined): Meaning {
  if (status !== undefined && Object.hasOwn(exactly, status)) return exactly[status]!
  if (status !== undefined) return classes.find(([start]) => status.startsWith(start))?.[1] ?? 'unknown'
  return (code === undefined ? undefined : plainly[code]) ?? 'unknown'
}
