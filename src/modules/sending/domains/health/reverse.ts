// The finding about the name of an address that mail leaves from. Pure.
import type { ReverseName } from '../../../../mail/dns/reverse'
import { type DomainFinding, findingsAbout } from './finding'

/** Receivers distrust an address without a name, or with a name that leads elsewhere (RFC 1912, section 2.1). */
export function reverseFinding(address: string, reverse: ReverseName): DomainFinding {
  const say = findingsAbout('reverse-dns')
  if (reverse.status === 'failed')
    return say({
      level: 'warn',
      code: 'reverse.unknown',
      message: `No name server answered about ${address}`,
      values: { address },
    })
  const { names, confirmed } = reverse
  const values = { address, name: confirmed ?? names[0] ?? '' }
  if (names.length === 0)
    return say({
      level: 'warn',
      code: 'reverse.missing',
      message: `${address} has no name: whoever it belongs to must publish a PTR record`,
      values,
    })
  return confirmed === undefined
    ? say({
        level: 'warn',
        code: 'reverse.other',
        message: `${address} is called ${names[0]}, but that name has another address`,
        values,
      })
    : say({
        level: 'ok',
        code: 'reverse.confirmed',
        message: `${address} is ${confirmed}, and ${confirmed} is ${address}`,
        values,
      })
}
