// Which relays mail leaves by, for what is said about them: their DNS records, and whether anything leaves this machine. Pure.
import { isLoopbackHost } from '../../lib/loopback'
import { parseSmtpUrl } from '../../mail/smtp/options'
import type { Config } from '../../settings/config'

type Settings = Pick<Config, 'mailTransport' | 'smtpUrl' | 'transports'>

/** In the order in which they are preferred; empty if mail leaves otherwise. */
export function relayHosts({ mailTransport, smtpUrl, transports }: Settings): string[] {
  const urls = transports
    ? transports.filter(({ kind }) => kind === 'smtp').map(({ target }) => target!)
    : mailTransport === 'smtp' && smtpUrl !== undefined
      ? [smtpUrl]
      : []
  return [...new Set(urls.map(url => parseSmtpUrl(url).host))]
}

/**
 * Whether mail is kept on this machine: in the outbox, or by a relay on a loopback address, such as a local sink. Names that nobody can own
 * are enough of a sender there.
 */
export function staysHere(settings: Settings): boolean {
  if (settings.mailTransport === 'outbox') return true
  const hosts = settings.transports ? [] : relayHosts(settings)
  return hosts.length > 0 && hosts.every(isLoopbackHost)
}
