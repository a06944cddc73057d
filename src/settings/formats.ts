// The formats of the values of settings: each reads a text or says in words what is wrong with it. Pure, except for the one that reads a
// certificate.
import { createPublicKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { canonicalDomain } from '../lib/domain-name'
import { isLoopbackHost } from '../lib/loopback'
import { day, hour, parseDuration } from '../lib/time'
import { receiverNames } from '../mail/receivers'
import { parseTransports, type TransportEntry } from './transport-list'

export type Parsed<T> = { value: T } | { fault: string }

export interface Format<T> {
  /** What is allowed, for the message about a wrong value. */
  readonly allowed: string
  parse(text: string): Parsed<T>
}

export const accept = <T>(value: T): Parsed<T> => ({ value })
export const reject = (fault = ''): Parsed<never> => ({ fault })

export const format = <T>(allowed: string, parse: (text: string) => Parsed<T>): Format<T> => ({
  allowed,
  parse,
})

export const matching = (pattern: RegExp, allowed: string): Format<string> =>
  format(allowed, text => (pattern.test(text) ? accept(text) : reject()))

export const text = (allowed = 'a text'): Format<string> => format(allowed, accept)

export const path = (allowed: string): Format<string> =>
  format(allowed, text =>
    text.startsWith('/') && !text.includes('\0') ? accept(text) : reject('it must begin with /'),
  )

export const boolean: Format<boolean> = format('true or false', text =>
  text === 'true' || text === '1'
    ? accept(true)
    : text === 'false' || text === '0'
      ? accept(false)
      : reject(),
)

/** `read` turns the number into the unit that the program uses. */
export const integer = <T = number>(
  min: number,
  max: number,
  read: (value: number) => T = value => value as T,
): Format<T> =>
  format(`a whole number from ${min} to ${max}`, text => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= min && value <= max ? accept(read(value)) : reject()
  })

export const oneOf = <T extends string>(...values: T[]): Format<T> =>
  format(`${values.slice(0, -1).join(', ')} or ${values.at(-1)}`, text =>
    values.includes(text as T) ? accept(text as T) : reject(),
  )

export const duration = (min: string, max: string, examples: string): Format<number> =>
  format(`a duration from ${min} to ${max}, such as ${examples}`, text => {
    const ms = parseDuration(text)
    return ms === undefined || ms < parseDuration(min)! || ms > parseDuration(max)! ? reject() : accept(ms)
  })

export const hours: Format<number> = format('hours as a number, at most 8760', text => {
  const value = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 8760 ? accept(Math.ceil(value * hour)) : reject()
})

/** Days that something is kept; 0 means for ever. */
export const days = (max: number): Format<number | undefined> =>
  integer(0, max, value => value * day || undefined)

function parseSize(text: string, min: number, max: number): Parsed<number> {
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text)
  if (!match) return reject()
  const factor = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[(match[2] ?? 'B').toUpperCase()]!
  const bytes = Math.floor(Number(match[1]) * factor)
  return bytes >= min && bytes <= max ? accept(bytes) : reject()
}

export const size: Format<number> = format('a size up to 1GB, such as 10MB or 500000 (bytes)', text =>
  parseSize(text, 1, 1024 ** 3),
)

/** How much may be stored; 0 means no limit: the largest number. */
export const room: Format<number> = format('a size up to 1048576GB, such as 500MB; 0 for no limit', text => {
  const parsed = parseSize(text, 0, 1024 ** 5)
  return 'value' in parsed && parsed.value === 0 ? accept(Number.MAX_SAFE_INTEGER) : parsed
})

export const secretText: Format<string> = format('16 to 1000 characters', text => {
  if (text.length < 16) return reject('it is too short')
  return text.length > 1_000 ? reject('it is too long') : accept(text)
})

/** Sent in a header, where neither blanks nor letters beyond ASCII survive. */
export const tokenText: Format<string> = format(secretText.allowed, text =>
  /^[\x21-\x7e]*$/.test(text)
    ? secretText.parse(text)
    : reject('it holds blanks or letters that a header cannot carry'),
)

const topicPattern = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+(\.fifo)?$/
/** A name has at most 256 characters. */
const maxTopicLength = 320

export const topics: Format<readonly string[]> = format(
  'comma-separated ARNs of SNS topics (arn:aws:sns:region:account:name)',
  text => {
    const list = text.split(',').map(part => part.trim())
    const wrongOne = list.find(topic => topic.length > maxTopicLength || !topicPattern.test(topic))
    return wrongOne === undefined
      ? accept(list)
      : reject(`${wrongOne.slice(0, 100) || 'an empty entry'} is none`)
  },
)

/** The PEM text in a file, read at startup so that a wrong file is a fault of the configuration. */
export const certificateFile: Format<string> = format('a file with an RSA certificate in PEM', path => {
  try {
    const pem = readFileSync(path, 'utf8')
    return new X509Certificate(pem).publicKey.asymmetricKeyType === 'rsa'
      ? accept(pem)
      : reject('its key is not RSA')
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT'
    return reject(isMissing ? 'there is no such file' : 'it holds no readable certificate')
  }
})

export const signingSecret: Format<string> = format(
  'whsec_ and 24 to 64 bytes in Base64 (echo whsec_$(openssl rand -base64 32))',
  text => {
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return reject()
    const { length } = Buffer.from(text.slice('whsec_'.length), 'base64')
    return length >= 24 && length <= 64 ? accept(text) : reject(`it holds ${length} bytes`)
  },
)

/** Stands in an address as the password, where other characters would have to be escaped. */
export const urlSecret: Format<string> = matching(
  /^[\w.~-]{16,200}$/,
  '16 to 200 letters, digits and - _ . ~',
)

export const ecKey: Format<string> = format('a public key in Base64, as SendGrid shows it', text => {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' ? accept(text) : reject('it is none for ECDSA')
  } catch {
    return reject()
  }
})

// The format of the address of a mailbox that is read by IMAP. Pure.

export interface MailboxSettings {
  host: string
  port: number
  /** From the first byte; otherwise by STARTTLS, which is demanded of every other machine. */
  implicitTls: boolean
  needsTls: boolean
  user: string
  password: string
  folder: string
  /** Where mails go that were read; they are marked as read where there is none. */
  doneFolder: string | undefined
  /** A file with further authorities, for a server with a certificate of its own. */
  caFile: string | undefined
}

const options: ReadonlySet<string> = new Set(['done', 'tls.ca'])

export const mailboxUrl: Format<MailboxSettings> = format(
  'imaps://user:password@host/INBOX?done=Folder (or imap:// for STARTTLS)',
  text => {
    if (!/^imaps?:\/\//i.test(text) || !URL.canParse(text)) return reject()
    const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text)
    if (!hostname || !username || !password) return reject('host, user or password is missing')
    if (hash || [...searchParams.keys()].some(name => !options.has(name)))
      return reject('done and tls.ca are the only parameters')
    const implicitTls = protocol === 'imaps:'
    try {
      return accept({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || (implicitTls ? 993 : 143),
        implicitTls,
        needsTls: !implicitTls && !isLoopbackHost(hostname),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password),
        folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
        doneFolder: searchParams.get('done') || undefined,
        caFile: searchParams.get('tls.ca') || undefined,
      })
    } catch {
      return reject('a percent sign in it is not followed by two digits')
    }
  },
)

// The format of TRANSPORTS_FILE: read at startup, so that a wrong list is a fault of the configuration.

const maxBytes = 256 * 1024

export const transportsFile: Format<readonly TransportEntry[]> = format(
  'a JSON file that lists transports',
  path => {
    const text = readBounded(path)
    if (text === undefined) return reject('there is no such file, or it cannot be read')
    if (text.length > maxBytes) return reject('it is larger than 256 kB')
    try {
      return accept(parseTransports(text))
    } catch (error) {
      return reject((error as Error).message)
    }
  },
)

function readBounded(path: string): string | undefined {
  try {
    return statSync(path).size > maxBytes ? ' '.repeat(maxBytes + 1) : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** How mail leaves as far as the rest of the program asks: whether SES signs for senders, and whether anything leaves at all. */
export function mainKind(entries: readonly TransportEntry[]): TransportEntry['kind'] {
  return (['ses', 'smtp'] as const).find(kind => entries.some(entry => entry.kind === kind)) ?? 'sendmail'
}

// The format of RECIPIENT_RATES and RECIPIENT_CONNECTIONS: how many messages a second, or at a time, may go to a receiver of mail. Pure.

/** By the name of a receiver, by a domain, or by that of the hosts which receive for it: a number of messages. */
type ByReceiver = Readonly<Record<string, number>>

const maxRates = 100

export const byReceiver: Format<ByReceiver> = format(
  `comma-separated numbers such as "gmail=20,example.org=1" (${receiverNames.join(', ')} stand for all their domains)`,
  text => {
    const pairs = text.split(',').map(readPair)
    const known = pairs.filter(pair => pair !== undefined)
    if (known.length < pairs.length || known.length > maxRates) return reject()
    const rates = Object.fromEntries(known)
    return Object.keys(rates).length === known.length ? accept(rates) : reject('one is named twice')
  },
)

function readPair(text: string): [name: string, rate: number] | undefined {
  const match = /^([^=]+)=(\d{1,6})$/.exec(text.trim())
  const given = (match?.[1] ?? '').trim().toLowerCase()
  const name = receiverNames.includes(given) ? given : canonicalDomain(given)
  const rate = Number(match?.[2])
  return name !== undefined && rate > 0 ? [name, rate] : undefined
}
