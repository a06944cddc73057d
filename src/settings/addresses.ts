// The formats of settings that say where something is found: hosts, servers, links. Pure.
import { isIP } from 'node:net'
import { isEmail, normaliseEmail } from '../lib/address'
import { canonicalDomain } from '../lib/domain-name'
import { isLoopbackHost } from '../lib/loopback'
import { parseServer } from '../mail/dns/servers'
import { parseSmtpUrl } from '../mail/smtp/options'
import { accept, type Format, format, type Parsed, reject } from './formats'

export const hostName: Format<string> = format('an IP address or host name, without a port', text => {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || /^[\w-]+(\.[\w-]+)*$/.test(host) ? accept(host) : reject()
})

export const servers: Format<string[]> = format('comma-separated ip[:port]', text => {
  const list = text.split(',').map(part => part.trim())
  return list.every(server => parseServer(server)) ? accept(list) : reject()
})

export const systemSender: Format<string> = format('an e-mail address', text =>
  (!text.includes('<') && isEmail(normaliseEmail(text))) || /^[\w.+-]{1,64}@localhost$/.test(text)
    ? accept(normaliseEmail(text))
    : reject(),
)

const web = 'an http:// or https:// address'
const isWeb = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Links are made by adding a path, so the address must end where the path begins. */
export const baseUrl: Format<string> = format(web, text => {
  if (!isWeb(text)) return reject()
  const url = new URL(text)
  if (url.search || url.hash || url.username || url.password)
    return reject('without user, ?query and #fragment, because paths are added to it')
  return accept(withoutEndSlashes(text))
})

/** The address of a server; without user and password, which belong in settings of their own. */
export const httpAddress: Format<string> = format(web, text => {
  if (!isWeb(text)) return reject()
  const { username, password } = new URL(text)
  return username || password ? reject('without user and password') : accept(text)
})

export const publicAddress: Format<string> = format(web, text =>
  mapped(httpAddress.parse(text), address => accept(withoutEndSlashes(address))),
)

export const origin: Format<string> = format(`${web} without a path`, text =>
  mapped(httpAddress.parse(text), address =>
    new URL(address).pathname === '/' ? accept(address) : reject('it has a path'),
  ),
)

/** Compared letter by letter with what the provider says of itself, so a slash at the end stays. */
export const issuer: Format<string> = format('an https:// address (http:// on this machine only)', text => {
  if (!isWeb(text)) return reject()
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username || password || search || hash) return reject('without user, ?query and #fragment')
  return protocol === 'https:' || isLoopbackHost(hostname) ? accept(text) : reject()
})

/** Bounded, because addresses are made by writing before it. */
export const domainName: Format<string> = format('a domain of at most 190 characters', text =>
  mapped(domain(text), name => (name.length <= 190 ? accept(name) : reject())),
)

export const domainNames: Format<readonly string[]> = format('comma-separated domains', text => {
  const list = text.split(',').map(part => canonicalDomain(part))
  return list.every(name => name !== undefined) ? accept(list) : reject()
})

function domain(text: string): Parsed<string> {
  const name = canonicalDomain(text)
  return name === undefined ? reject() : accept(name)
}

function mapped<T>(parsed: Parsed<T>, next: (value: T) => Parsed<T>): Parsed<T> {
  return 'value' in parsed ? next(parsed.value) : parsed
}

function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** Leading and trailing slashes are removed. */
export const keyPrefix: Format<string> = format('names with slashes between them', given => {
  const trimmed = withoutEndSlashes(given).replace(/^\/+/, '')
  return /^[\w.-]+(\/[\w.-]+)*$/.test(trimmed) && trimmed.length <= 200 && !/(^|\/)\.\.?(\/|$)/.test(trimmed)
    ? accept(trimmed)
    : reject()
})

export const databaseUrl: Format<string> = format('postgres://user:password@host:port/database', text => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return reject()
  const url = new URL(text)
  const socket = url.searchParams.get('host')
  if (url.hostname === '' && !socket) return reject('the host is missing')
  if (socket !== null && !socket.startsWith('/')) return reject('?host= takes the folder of a unix socket')
  return accept(text)
})

export const smtpUrl: Format<string> = format('an smtp:// or smtps:// address', text => {
  if (!/^smtps?:\/\//i.test(text)) return reject()
  try {
    parseSmtpUrl(text)
    return accept(text)
  } catch (error) {
    // The message names the faulty part and never shows the address, which contains a password.
    return reject((error as Error).message.replace(/^SMTP_URL: /, ''))
  }
})

/** Where SMTP is accepted, and whether TLS begins with the connection or by STARTTLS. */
export interface SubmissionListener {
  readonly host: string
  readonly port: number
  readonly implicitTls: boolean
}

export const listeners: Format<readonly SubmissionListener[]> = format(
  'ports or addresses such as "587", "587,465" or "smtp://127.0.0.1:2525"',
  given => {
    const found = given.split(',').map(listener)
    const known = found.filter(one => one !== undefined)
    return known.length === found.length && known.length <= 8 ? accept(known) : reject()
  },
)

/** Port 465 means TLS from the first byte (RFC 8314), any other STARTTLS, unless `smtp://` or `smtps://` comes before it. */
function listener(given: string): SubmissionListener | undefined {
  const match = /^(?:(smtps?):\/\/)?(?:(.+):)?(\d{1,5})$/.exec(given.trim())
  if (!match) return undefined
  const port = Number(match[3])
  const host = hostName.parse(match[2] ?? '0.0.0.0')
  if (port > 65_535 || !('value' in host)) return undefined
  return { host: host.value, port, implicitTls: match[1] ? match[1] === 'smtps' : port === 465 }
}
