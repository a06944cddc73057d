// What `?service=` and `?auth=oauth2` in SMTP_URL stand for: the servers of well-known providers, and where they renew access tokens.
import { isLoopbackHost } from '../../lib/loopback'

export interface WellKnownServer {
  host: string
  port: number
  secure: boolean
}

/** Of nodemailer's table, which is read when somebody asks; undefined for a provider that it does not know. */
export function wellKnownServer(service: string): WellKnownServer | undefined {
  const lookUp = require('nodemailer/lib/well-known') as (name: string) => Partial<WellKnownServer> | false
  const found = lookUp(service) || undefined
  if (!found?.host) return undefined
  const secure = found.secure === true
  return { host: found.host, port: found.port ?? (secure ? 465 : 587), secure }
}

const tokenUrls: Array<[host: RegExp, url: string]> = [
  [/(^|\.)(office365|outlook)\.com$/i, 'https://login.microsoftonline.com/common/oauth2/v2.0/token'],
  [/(^|\.)(gmail|google|googlemail)\.com$/i, 'https://oauth2.googleapis.com/token'],
]

/** Undefined if the provider of the host is not known. */
export function tokenUrlOf(host: string): string | undefined {
  return tokenUrls.find(([pattern]) => pattern.test(host))?.[1]
}

/** A refresh token is worth as much as a password, so it travels by https only, except on this machine. */
export function isSafeTokenUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}
