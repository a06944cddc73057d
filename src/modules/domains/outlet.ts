// What domains need to know of the configuration. Pure.
import type { Config } from '../../settings/config'
import type { Outlet } from './model'

export function outletOf(config: Config): Outlet {
  const { mailTransport, smtpUrl } = config
  const relayHost = mailTransport === 'smtp' && smtpUrl !== undefined ? new URL(smtpUrl).hostname : undefined
  return { mailTransport, relayHost: relayHost || undefined }
}
