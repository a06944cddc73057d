// The forms of settings that say where something is found: hosts, servers, links. Pure.
import { isIP } from 'node:net'
import { isEmail, normaliseEmail } from '../lib/address'
import { parseServer } from '../platform/dns/servers'
import { parseSmtpUrl } from '../platform/mail/smtp-options'
import { type Form, form, ok, type Parsed, wrong } from './forms'

export const hostName: Form<string> = form('an IP address or host name, without a port', text => {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || /^[\w-]+(\.[\w-]+)*$/.test(host) ? ok(host) : wrong()
})

export const servers: Form<string[]> = form('comma-separated ip[:port]', text => {
  const list = text.split(',').map(part => part.trim())
  return list.every(server => parseServer(server)) ? ok(list) : wrong()
})

export const systemSender: Form<string> = form('an e-mail address', text =>
  isEmail(text) || /^[\w.+-]{1,64}@localhost$/.test(text) ? ok(normaliseEmail(text)) : wrong(),
)

const web = 'an http:// or https:// address'
const isWeb = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Links are made by adding a path, so the address must end where the path begins. */
export const baseUrl: Form<string> = form(web, text => {
  if (!isWeb(text)) return wrong()
  const url = new URL(text)
  if (url.search || url.hash || url.username || url.password)
    return wrong('without user, ?query and #fragment, because paths are added to it')
  return ok(withoutEndSlashes(text))
})

/** Where a server is found; without user and password, which belong into settings of their own. */
export const httpAddress: Form<string> = form(web, text => {
  if (!isWeb(text)) return wrong()
  const { username, password } = new URL(text)
  return username || password ? wrong('without user and password') : ok(text)
})

export const publicAddress: Form<string> = form(web, text =>
  mapped(httpAddress.parse(text), address => ok(withoutEndSlashes(address))),
)

export const origin: Form<string> = form(`${web} without a path`, text =>
  mapped(httpAddress.parse(text), address =>
    new URL(address).pathname === '/' ? ok(address) : wrong('it has a path'),
  ),
)

function mapped<T>(parsed: Parsed<T>, next: (value: T) => Parsed<T>): Parsed<T> {
  return 'value' in parsed ? next(parsed.value) : parsed
}

function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** Slashes at its ends are taken away. */
export const keyPrefix: Form<string> = form('names with slashes between them', given => {
  const trimmed = withoutEndSlashes(given).replace(/^\/+/, '')
  return /^[\w.-]+(\/[\w.-]+)*$/.test(trimmed) && trimmed.length <= 200 && !/(^|\/)\.\.?(\/|$)/.test(trimmed)
    ? ok(trimmed)
    : wrong()
})

export const databaseUrl: Form<string> = form('postgres://user:password@host:port/database', text => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return wrong()
  const url = new URL(text)
  const socket = url.searchParams.get('host')
  if (url.hostname === '' && !socket) return wrong('the host is missing')
  if (socket !== null && !socket.startsWith('/')) return wrong('?host= takes the folder of a unix socket')
  return ok(text)
})

export const smtpUrl: Form<string> = form('an smtp:// or smtps:// address', text => {
  if (!/^smtps?:\/\//i.test(text)) return wrong()
  try {
    parseSmtpUrl(text)
    return ok(text)
  } catch (error) {
    // The message names the faulty part and never shows the address, which holds a password.
    return wrong((error as Error).message.replace(/^SMTP_URL: /, ''))
  }
})

/** Where SMTP is taken, and whether TLS begins with the connection or by STARTTLS. */
export interface SubmissionListener {
  readonly host: string
  readonly port: number
  readonly implicitTls: boolean
}

export const listeners: Form<readonly SubmissionListener[]> = form(
  'ports or addresses such as "587", "587,465" or "smtp://127.0.0.1:2525"',
  given => {
    const found = given.split(',').map(listener)
    const known = found.filter(one => one !== undefined)
    return known.length === found.length && known.length <= 8 ? ok(known) : wrong()
  },
)

/** Port 465 means TLS from the first byte (RFC 8314), every other one STARTTLS, unless `smtp://` or `smtps://` stands before it. */
function listener(given: string): SubmissionListener | undefined {
  const match = /^(?:(smtps?):\/\/)?(?:(.+):)?(\d{1,5})$/.exec(given.trim())
  if (!match) return undefined
  const port = Number(match[3])
  const host = hostName.parse(match[2] ?? '0.0.0.0')
  if (port > 65_535 || !('value' in host)) return undefined
  return { host: host.value, port, implicitTls: match[1] ? match[1] === 'smtps' : port === 465 }
}
