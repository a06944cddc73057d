// Whether mail leaves for other machines while its links lead to this one alone: resets and unsubscribe links that nobody can
// open. Pure. Nothing is refused for it, because a test with a relay elsewhere is one of the first things that people try.

import { isLoopbackHost } from '../../lib/loopback'
import type { Config } from '../../settings/config'
import { relayHosts } from './relay-hosts'

type LinkSettings = Pick<Config, 'baseUrl' | 'mailTransport' | 'smtpUrl' | 'ses' | 'transports'>

/** A sentence that says what to set; undefined if the links are of use. */
export function deadLinks(config: LinkSettings): string | undefined {
  const { baseUrl } = config
  if (!isLoopbackHost(new URL(baseUrl).hostname) || !leavesMachine(config)) return undefined
  return `links in mails (password resets, unsubscribe links) lead to ${baseUrl}, which can be opened on this machine alone: set BASE_URL to the public address of this instance, such as BASE_URL=https://mail.example.com`
}

function leavesMachine(config: LinkSettings): boolean {
  const { mailTransport, ses, transports } = config
  if (relayHosts(config).some(host => !isLoopbackHost(host))) return true
  if (mailTransport === 'sendmail' || transports?.some(({ kind }) => kind === 'sendmail')) return true
  return mailTransport === 'ses' && !(ses?.endpoint && isLoopbackHost(new URL(ses.endpoint).hostname))
}
