// The certificate of a server of SMTP: from files, reloaded when they change, or one that is made here and kept in DATA_DIR. The
// latter proves nothing to anybody; it keeps what is sent from being read in transit. X.509 is written by hand, because the libraries for
// it are megabytes and this is one kind of certificate (RFC 5280) with one kind of key.
import { createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { day } from '../../lib/time'
import type { SubmissionConfig } from '../../settings/config'
import type { Context } from '../context'

/** Throws if the key belongs to another certificate. Only a matching pair is used: a renewal writes one file after the other. */
export function checkPair({ cert, key }: Certificate): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key does not belong to the certificate')
}

/** PEM. */
export interface Certificate {
  cert: string
  key: string
}

export interface CertificateSource {
  read(): Promise<Certificate>
  /** Changes when the files do. */
  version(): Promise<string>
}

export function certificateSource(
  ctx: Context,
  { certificate }: Partial<SubmissionConfig>,
): CertificateSource {
  if (!certificate) return selfMade(ctx)
  const { certFile, keyFile } = certificate
  return {
    read: async () => ({ cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }),
    version: async () => {
      const files = await Promise.all([stat(certFile), stat(keyFile)])
      return files.map(({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`).join(' ')
    },
  }
}

const validMs = 3_650 * day
const renewedBeforeMs = 30 * day

function selfMade({ config, clock }: Context): CertificateSource {
  const folder = join(config.dataDir, 'smtp')
  const file = join(folder, 'self-made.pem')
  return {
    version: async () => 'self-made',
    async read() {
      const kept = await readFile(file, 'utf8').catch(() => undefined)
      const now = clock.now()
      if (kept && isGood(kept, now)) return { cert: kept, key: kept }
      const made = selfSigned(new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, ''), now)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = `${file}.${process.pid}.tmp`
      await writeFile(draft, `${made.key}${made.cert}`, { mode: 0o600 })
      await rename(draft, file)
      return made
    },
  }
}

function isGood(pem: string, now: Date): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) - now.getTime() > renewedBeforeMs
  } catch {
    return false
  }
}

/** A self-signed certificate for that name, with a new P-256 key. */
export function selfSigned(name: string, now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid(ecdsaWithSha256))
  const subject = sequence(set(sequence(oid(commonName), der(0x0c, Buffer.from(name.slice(0, 64))))))
  const validity = sequence(time(new Date(now.getTime() - day)), time(new Date(now.getTime() + validMs)))
  const names = sequence(der(0x82, Buffer.from(name)))
  const extensions = der(0xa3, sequence(sequence(oid(subjectAltName), der(0x04, names))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), Buffer.from(crypto.getRandomValues(new Uint8Array(15)))])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]))
  const text = sequence(body, algorithm, signature)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** 1.2.840.10045.4.3.2, 2.5.4.3 and 2.5.29.17 in DER. */
const ecdsaWithSha256 = '2a8648ce3d040302'
const commonName = '550403'
const subjectAltName = '551d11'

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts))
}

/** GeneralizedTime: years after 2049 have no other form, and earlier ones can be read in it too. */
function time(at: Date): Buffer {
  const text = at.toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${text.slice(2)}Z`))
    : der(0x18, Buffer.from(`${text}Z`))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.of(tag, length), content])
  const size = length < 256 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 255)
  return Buffer.concat([Buffer.of(tag), size, content])
}
