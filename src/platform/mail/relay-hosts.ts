// Which relays mail leaves by, for what is said about them: their DNS records, and whether anything leaves this machine. Pure.
import type { Config } from '../../settings/config'
import { parseSmtpUrl } from './smtp-options'

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
