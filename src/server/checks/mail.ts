// Checks of outgoing mail: whether the relay or provider accepts it, over TLS, and whether the relay's addresses have names.
import { isIP } from 'node:net'
import { isLoopbackHost } from '../../lib/loopback'
import type { Resolver } from '../../platform/dns/resolver'
import { addressesOf, reverseName } from '../../platform/dns/reverse'
import { relayHosts } from '../../platform/mail/relay-hosts'
import { parseSmtpUrl } from '../../platform/mail/smtp-options'
import type { Transport } from '../../platform/mail/transport'
import type { Config } from '../../settings/config'
import { makeTransport, makeWay } from '../compose'
import { type Check, type Finding, pass, warn } from './check'

export function mailChecks(config: Config, dns: Resolver): Check[] {
  return [
    ...transportChecks(config),
    ...relayHosts(config).map(host => ({ about: 'reverse DNS', run: () => checkReverse(host, dns) })),
  ]
}

function transportChecks(config: Config): Check[] {
  const { transports, mailTransport, smtpUrl } = config
  if (transports)
    return transports.map(entry => {
      const about = `mail transport ${entry.name} (${entry.kind})`
      const url = entry.kind === 'smtp' ? entry.target : undefined
      return { about, run: () => checkTransport(() => makeWay(config, entry), url, about) }
    })
  const about = `mail transport (${mailTransport})`
  const url = mailTransport === 'smtp' ? smtpUrl : undefined
  return [{ about, run: () => checkTransport(() => makeTransport(config), url, about) }]
}

/** `url`: of the relay, where it is one. */
async function checkTransport(
  make: () => Transport,
  url: string | undefined,
  about: string,
): Promise<Finding[]> {
  const transport = make()
  try {
    const words = await transport.verify()
    const isOpen = url !== undefined && words.includes('no TLS') && !isLoopbackHost(parseSmtpUrl(url).host)
    const isSandbox = words.includes('SANDBOX')
    return [
      isOpen || isSandbox ? warn(about, words) : pass(about, words),
      ...(isOpen
        ? [warn('TLS', 'mail leaves this machine unencrypted: use smtps:// or a relay with STARTTLS')]
        : []),
    ]
  } finally {
    await transport.close()
  }
}

/** Receivers distrust a server if its address has no name, or a name that leads elsewhere (RFC 1912, section 2.1). */
async function checkReverse(host: string, dns: Resolver): Promise<Finding[]> {
  const about = 'reverse DNS'
  if (isLoopbackHost(host))
    return [pass(about, `${host} is this machine; ask its own doctor about the address that it sends from`)]
  const addresses = isIP(host) ? [host] : await addressesOf(dns, host)
  if (addresses.length === 0) return [warn(about, `${host} has no address in the DNS`)]
  return await Promise.all(addresses.slice(0, 4).map(address => checkAddress(address, dns)))
}

async function checkAddress(address: string, dns: Resolver): Promise<Finding> {
  const about = 'reverse DNS'
  const reverse = await reverseName(dns, address)
  if (reverse.status === 'failed')
    return warn(about, `${address}: no name server answers (${reverse.reason})`)
  const { names, confirmed } = reverse
  if (names.length === 0)
    return warn(about, `${address} has no name: whoever runs the relay must publish a PTR record`)
  return confirmed === undefined
    ? warn(about, `${address} is called ${names[0]}, but that name has another address`)
    : pass(about, `${address} is ${confirmed}, and ${confirmed} is ${address}`)
}
