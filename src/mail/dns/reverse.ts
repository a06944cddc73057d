// The name of an address, and whether that name leads back to it (RFC 1912, section 2.1); the addresses of a name, and those of this machine.
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from '../../lib/public-address'
import type { Resolver } from './resolver'

export type ReverseName =
  | { status: 'failed'; reason: string }
  /** `confirmed` is the one of the names that has this address. */
  | { status: 'found'; names: string[]; confirmed: string | undefined }

/** An address has one name as a rule; more than these are not followed. */
const maxNames = 4

export async function reverseName(
  dns: Pick<Resolver, 'ptr' | 'a' | 'aaaa'>,
  address: string,
): Promise<ReverseName> {
  const answer = await dns.ptr(address)
  if (answer.status === 'failed') return answer
  const names = answer.status === 'found' ? answer.records.slice(0, maxNames) : []
  const back = await Promise.all(names.map(name => addressesOf(dns, name)))
  return { status: 'found', names, confirmed: names.find((_, index) => back[index]!.includes(address)) }
}

/** Of both families; none where no server answers. */
export async function addressesOf(dns: Pick<Resolver, 'a' | 'aaaa'>, name: string): Promise<string[]> {
  const answers = await Promise.all([dns.a(name), dns.aaaa(name)])
  return answers.flatMap(answer => (answer.status === 'found' ? answer.records : []))
}

/** Under which others reach this machine, as far as it knows: behind a router it does not. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return all.map(({ address }) => address).filter(isPublicAddress)
}
