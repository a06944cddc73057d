// Checks of outgoing mail: whether the relay or provider accepts it, over TLS, and whether the relay's addresses have names.
import { isIP } from 'node:net'
import { isLoopbackHost } from '../../lib/loopback'
import type { MxRecord, Resolver } from '../../mail/dns/resolver'
import { addressesOf, ownAddresses, reverseName } from '../../mail/dns/reverse'
import { parseSmtpUrl } from '../../mail/smtp/options'
import { silentLogger } from '../../platform/log'
import { relayHosts } from '../../platform/transports/relay-hosts'
import type { Transport } from '../../platform/transports/transport'
import type { Config } from '../../settings/config'
import { makeEntryTransport, makeTransport } from '../compose'
import { type Check, type Finding, fail, pass, warn } from './check'

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
      return { about, run: () => checkTransport(() => makeEntryTransport(config, entry), url, about) }
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

const about = 'bounce domain'
/** Nobody has more; whoever publishes more has only these looked at. */
const maxExchanges = 8

export function returnedMailChecks(config: Config, dns: Resolver): Check[] {
  const { bounceDomain, bounceMailbox } = config
  const checks: Check[] = []
  if (bounceDomain !== undefined)
    checks.push({ about, run: async () => [await checkExchanges(config, bounceDomain, dns)] })
  if (bounceMailbox) checks.push({ about: 'mailbox', run: async () => [await checkMailbox(bounceMailbox)] })
  return checks
}

async function checkMailbox(settings: NonNullable<Config['bounceMailbox']>): Promise<Finding> {
  const { tryMailbox } = await import('../../modules/sending/feedback')
  await tryMailbox(silentLogger, settings)
  return pass(
    'mailbox',
    `${settings.user} signs in at ${settings.host}, and the folder ${settings.folder} is there`,
  )
}

async function checkExchanges(config: Config, domain: string, dns: Resolver): Promise<Finding> {
  const answer = await dns.mx(domain)
  if (answer.status === 'failed')
    return warn(about, `no name server answers about ${domain} (${answer.reason})`)
  const published = answer.status === 'found' ? answer.records.slice(0, maxExchanges) : []
  const preferred = published.toSorted((a, b) => a.priority - b.priority)
  // "." says that there is no mail here (RFC 7505); without any record, mail goes to the address of the name itself (RFC 5321, 5.1).
  const isImplied = published.length === 0 && (await addressesOf(dns, domain)).length > 0
  const exchanges = isImplied ? [domain] : preferred.map(nameOf).filter(name => name !== '')
  if (exchanges.length === 0)
    return fail(about, `nothing comes back, because ${domain} has no MX record; publish\n${wanted(config)}`)
  const listed = exchanges.join(', ')
  if (config.inbound === undefined)
    return config.bounceMailbox
      ? pass(about, `mail to ${domain} goes to ${listed}, and is read from ${config.bounceMailbox.host}`)
      : warn(about, `mail to ${domain} goes to ${listed}; set SMTP_INBOUND_LISTEN or BOUNCE_MAILBOX_URL`)
  const here = await isHere(config, exchanges, dns)
  if (here.every(Boolean)) return pass(about, `mail to ${domain} comes here (${listed})`)
  const others = exchanges.filter((_, index) => !here[index]).join(', ')
  return warn(
    about,
    `the MX records of ${domain} lead to ${others}; unless that hands the mail on to us, publish instead\n${wanted(config)}`,
  )
}

function nameOf({ exchange }: MxRecord): string {
  return exchange.replace(/\.$/, '').toLowerCase()
}

/** For each of the names whether it is ours, or has one of our addresses. */
async function isHere({ baseUrl }: Config, exchanges: string[], dns: Resolver): Promise<boolean[]> {
  const { hostname } = new URL(baseUrl)
  const ours = new Set([...ownAddresses(), ...(await addressesOf(dns, hostname))])
  return await Promise.all(
    exchanges.map(
      async name => name === hostname || (await addressesOf(dns, name)).some(address => ours.has(address)),
    ),
  )
}

/** As a zone file has it. What is not a name, or no name for others, has to be filled in. */
function wanted({ bounceDomain, baseUrl, inbound, bounceMailbox }: Config): string {
  const { hostname } = new URL(baseUrl)
  const hasName = !isLoopbackHost(hostname) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  const byMailbox = !inbound && bounceMailbox
  const target = byMailbox
    ? `<the mail server of ${bounceMailbox.user}>`
    : hasName
      ? `${hostname}.`
      : '<the name of this machine>.'
  return `${bounceDomain}. IN MX 10 ${target}`
}
