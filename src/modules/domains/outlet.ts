// What domains need to know of the configuration. Pure.
import { parseSmtpUrl } from '../../platform/mail/smtp-options'
import type { Config } from '../../settings/config'
import type { Outlet } from './model'

export function outletOf(config: Config): Outlet {
  const { mailTransport, smtpUrl } = config
  const relayHost = mailTransport === 'smtp' && smtpUrl !== undefined ? parseSmtpUrl(smtpUrl).host : undefined
  return { mailTransport, relayHost: relayHost || undefined }
}
