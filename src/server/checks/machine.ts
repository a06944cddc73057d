// Checks of the machine: the data directory and its disk, the name servers, the public address.

import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopbackHost } from '../../lib/loopback'
import { day } from '../../lib/time'
import { networkResolver } from '../../mail/dns/client'
import { scarceBytes } from '../../platform/disk'
import { secretFiles } from '../../platform/secrets'
import { deadLinks } from '../../platform/transports/dead-links'
import type { Config } from '../../settings/config'
import { systemClock, systemRandom } from '../compose'
import { type Check, type Finding, fail, pass, warn } from './check'

export function machineChecks(config: Config): Check[] {
  return [
    { about: 'data directory', run: async () => [checkDirectory(config.dataDir)] },
    { about: 'DNS resolver', run: async () => [await checkResolver(config)] },
    { about: 'public address', run: async () => [checkAddress(config)] },
  ]
}

const gigabyte = 1024 ** 3

function checkDirectory(directory: string): Finding {
  const about = 'data directory'
  if (!existsSync(directory))
    return fail(about, `there is no folder ${directory}: set DATA_DIR as the instance has it`)
  accessSync(directory, constants.W_OK | constants.X_OK)
  const { bavail, bsize, blocks } = statfsSync(directory)
  const [free, all] = [(bavail * bsize) / gigabyte, (blocks * bsize) / gigabyte]
  const words = `${directory}, ${free.toFixed(1)} of ${all.toFixed(1)} GB free`
  // The built-in database stops when it cannot write its log.
  if (bavail * bsize < scarceBytes) return fail(about, `${directory} has only ${free.toFixed(2)} GB left`)
  return free < 2 || free / all < 0.05 ? warn(about, `${words}: make room soon`) : pass(about, words)
}

/** Any answer will do, "no such name" too: the question is whether a name server answers. */
async function checkResolver(config: Config): Promise<Finding> {
  const resolver = networkResolver({
    servers: config.dnsServers,
    timeoutMs: 2_000,
    tries: 2,
    random: systemRandom,
  })
  const answer = await resolver.ns('example.com')
  const servers = config.dnsServers.join(', ') || "the system's servers"
  if (answer.status === 'failed')
    throw new Error(`no answer: ${answer.reason} (asked ${servers} for the name servers of example.com)`)
  return pass('DNS resolver', `answers (${servers})`)
}

/** Links in mails lead to it. */
export function checkAddress(config: Config): Finding {
  const about = 'public address'
  const { baseUrl, mailTransport } = config
  const { hostname, protocol } = new URL(baseUrl)
  if (mailTransport === 'outbox') return pass(about, baseUrl)
  const dead = deadLinks(config)
  if (dead) return warn(about, dead)
  if (isLoopbackHost(hostname))
    return warn(
      about,
      `${baseUrl} can be opened on this machine alone: set BASE_URL before the relay passes mail on to others`,
    )
  return protocol === 'https:'
    ? pass(about, baseUrl)
    : warn(about, `${baseUrl} is not https: sessions and links travel in the open`)
}

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
