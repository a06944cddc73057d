// Checks of files that only the service may read, and of the certificate that it shows.
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { day } from '../../lib/time'
import { secretFiles } from '../../platform/secrets'
import type { Config } from '../../settings/config'
import { systemClock } from '../compose'
import { type Check, type Finding, fail, pass, warn } from './check'

export function fileChecks(config: Config): Check[] {
  return [
    { about: 'secret files', run: async () => checkSecretFiles(config.dataDir) },
    { about: 'certificate', run: async () => checkCertificate(config) },
  ]
}

/** Says nothing if all is well: those files need not be there. */
function checkSecretFiles(dataDir: string): Finding[] {
  return Object.values(secretFiles).flatMap(name => {
    const path = join(dataDir, name)
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    return (mode & 0o077) === 0
      ? []
      : [warn('secret files', `other users of this machine can read ${path}; run "chmod 600 ${path}"`)]
  })
}

const soonMs = 14 * day

/** The one that SMTP_TLS_CERT_FILE names: it is read again by itself, so a renewal that did not happen shows here first. */
function checkCertificate({ submission, baseUrl }: Config): Finding[] {
  const about = 'certificate'
  const files = submission?.certificate
  if (!files) return []
  const { hostname } = new URL(baseUrl)
  const certificate = new X509Certificate(readFileSync(files.certFile))
  const leftMs = Date.parse(certificate.validTo) - systemClock.now().getTime()
  const until = new Date(certificate.validTo).toISOString().slice(0, 10)
  if (leftMs <= 0) return [fail(about, `${files.certFile} expired on ${until}`)]
  if (leftMs < soonMs) return [warn(about, `${files.certFile} expires on ${until}: was it renewed?`)]
  if (!certificate.checkHost(hostname))
    return [
      warn(
        about,
        `${files.certFile} is not for ${hostname}, which apps connect to (${certificate.subjectAltName})`,
      ),
    ]
  return [pass(about, `for ${hostname}, valid until ${until}`)]
}
