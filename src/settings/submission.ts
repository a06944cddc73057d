// The settings of the submission server, through which programs that only speak SMTP hand in their mail.
import { option } from './setting'
import { boolean, hostName, ok, type Parsed, path, wrong } from './values'

/** Where it listens, and whether TLS begins with the connection or by STARTTLS. */
export interface SubmissionListener {
  readonly host: string
  readonly port: number
  readonly implicitTls: boolean
}

export interface SubmissionConfig {
  readonly listeners: readonly SubmissionListener[]
  /** Undefined: one that is made here. */
  readonly certificate?: { readonly certFile: string; readonly keyFile: string }
  /** A key may come without TLS to listeners on a loopback address. */
  readonly plainOnLoopback: boolean
}

const form = 'ports or addresses such as "587", "587,465" or "smtp://127.0.0.1:2525"'

/** Port 465 means TLS from the first byte (RFC 8314), every other one STARTTLS, unless `smtp://` or `smtps://` stands before it. */
function listener(given: string): SubmissionListener | undefined {
  const match = /^(?:(smtps?):\/\/)?(?:(.+):)?(\d{1,5})$/.exec(given.trim())
  if (!match) return undefined
  const port = Number(match[3])
  const host = hostName(match[2] ?? '0.0.0.0')
  if (port > 65_535 || !('value' in host)) return undefined
  return { host: host.value, port, implicitTls: match[1] ? match[1] === 'smtps' : port === 465 }
}

export function listeners(given: string): Parsed<SubmissionListener[]> {
  const found = given.split(',').map(listener)
  const known = found.filter(one => one !== undefined)
  return known.length === found.length && known.length <= 8 ? ok(known) : wrong()
}

export const submissionOptions = {
  SMTP_LISTEN: option(
    'SMTP_LISTEN',
    '',
    form,
    listeners,
    'Takes mail by SMTP from programs with a secret key as password: 587 (STARTTLS), 465 (TLS), or both',
  ),
  SMTP_TLS_CERT_FILE: option(
    'SMTP_TLS_CERT_FILE',
    'a certificate made in DATA_DIR',
    'the absolute path of a PEM file',
    path,
    'Certificate chain of SMTP_LISTEN; read again when the file changes',
  ),
  SMTP_TLS_KEY_FILE: option(
    'SMTP_TLS_KEY_FILE',
    '',
    'the absolute path of a PEM file',
    path,
    'Private key of that certificate',
  ),
  SMTP_PLAIN_ON_LOOPBACK: option(
    'SMTP_PLAIN_ON_LOOPBACK',
    'false',
    'true or false',
    boolean,
    'Takes keys without TLS where SMTP_LISTEN names a loopback address',
  ),
} as const

type Values = {
  SMTP_LISTEN?: SubmissionListener[]
  SMTP_TLS_CERT_FILE?: string
  SMTP_TLS_KEY_FILE?: string
  SMTP_PLAIN_ON_LOOPBACK?: boolean
}

export function faultsOfSubmission(values: Values): string[] {
  const { SMTP_LISTEN, SMTP_TLS_CERT_FILE, SMTP_TLS_KEY_FILE, SMTP_PLAIN_ON_LOOPBACK } = values
  const faults: string[] = []
  if ((SMTP_TLS_CERT_FILE === undefined) !== (SMTP_TLS_KEY_FILE === undefined))
    faults.push('SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE belong together; set both or neither')
  if (SMTP_LISTEN === undefined && SMTP_TLS_CERT_FILE !== undefined)
    faults.push('SMTP_TLS_CERT_FILE is set, but SMTP_LISTEN is not')
  if (SMTP_PLAIN_ON_LOOPBACK && !SMTP_LISTEN?.some(({ host }) => isLoopback(host)))
    faults.push(
      'SMTP_PLAIN_ON_LOOPBACK is true, but SMTP_LISTEN names no loopback address (such as 127.0.0.1:2525)',
    )
  return faults
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

export function submissionConfig(values: Values): { submission?: SubmissionConfig } {
  const { SMTP_LISTEN, SMTP_TLS_CERT_FILE: certFile, SMTP_TLS_KEY_FILE: keyFile } = values
  if (!SMTP_LISTEN) return {}
  return {
    submission: {
      listeners: SMTP_LISTEN,
      ...(certFile && keyFile ? { certificate: { certFile, keyFile } } : {}),
      plainOnLoopback: values.SMTP_PLAIN_ON_LOOPBACK ?? false,
    },
  }
}
