// Whether what comes back reaches us: the MX records of the bounce domain, and what to publish where they lead elsewhere.
import { isIP } from 'node:net'
import { isLoopbackHost } from '../../lib/loopback'
import type { MxRecord, Resolver } from '../../platform/dns/resolver'
import { addressesOf, ownAddresses } from '../../platform/dns/reverse'
import { silentLogger } from '../../platform/log'
import type { Config } from '../../settings/config'
import { type Check, type Finding, fail, pass, warn } from './check'

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
  const { tryMailbox } = await import('../../modules/feedback')
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
