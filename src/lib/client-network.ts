// Which network a client is in, for limits that count clients. Pure.

/**
 * What one client is: an IPv4 address, or the /64 network of an IPv6 address, because a host may pick any address within it. An IPv4
 * address in IPv6 spelling counts as the IPv4 address.
 */
export function clientNetwork(address: string): string {
  const bare = address.replace(/^\[|\]$|%[\s\S]*/g, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  if (mapped) return mapped[1]!
  if (!bare.includes(':')) return bare
  const [head = '', tail] = bare.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** What one owner may have without asking for more: the /24 network of an IPv4 address, the /48 network of an IPv6 address. */
export function clientBlock(address: string): string {
  const subnet = clientSubnet(address)
  if (!subnet.endsWith('::/64')) return subnet
  return `${subnet.split(':').slice(0, 3).join(':')}::/48`
}

/** The /24 network of an IPv4 address, the /64 network of an IPv6 address: what a hoster sells as one. */
export function clientSubnet(address: string): string {
  const network = clientNetwork(address)
  const [, first] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network) ?? []
  return first === undefined ? network : `${first}.0/24`
}
