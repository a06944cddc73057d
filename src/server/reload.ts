// What a running instance reads again on SIGHUP: certificates, TRANSPORTS_FILE, and the level of its log. Everything else needs a restart.
import type { Context } from '../platform/context'
import { setLogLevel } from '../platform/log'
import { showTransports } from '../platform/mail/health'
import type { SeveralTransports } from '../platform/mail/ways/ways'
import type { Config } from '../settings/config'
import { mainKind } from '../settings/transports'
import { makeWay } from './compose'

/**
 * `readAgain` throws if the settings can't be used; then nothing changes. `renewable` are servers with certificates, each of which keeps
 * the old one if the new one can't be used.
 */
export async function reload(
  ctx: Context,
  readAgain: () => Config,
  renewable: ReadonlyArray<{ renew(): Promise<void> } | undefined>,
): Promise<void> {
  const { log } = ctx
  await Promise.all(renewable.map(server => server?.renew()))
  try {
    const config = readAgain()
    setLogLevel(log, config.logLevel)
    const transports = await replaceTransports(ctx, config)
    log.info({ logLevel: config.logLevel, ...transports }, 'settings reloaded')
  } catch (error) {
    log.warn({ error: String(error) }, 'settings not reloaded, because they are wrong')
  }
}

async function replaceTransports(ctx: Context, config: Config): Promise<{ transports?: string[] }> {
  const { transports } = config
  if (!transports || !ctx.config.transports) return {}
  // Who signs, and which records domains need, follows from this everywhere.
  if (mainKind(transports) !== mainKind(ctx.config.transports))
    throw new Error('TRANSPORTS_FILE adds or removes SES or all SMTP relays, which needs a restart')
  await (ctx.mail as SeveralTransports).replace(transports, entry => makeWay(config, entry))
  const names = transports.map(({ name }) => name)
  showTransports(ctx, names)
  return { transports: names }
}
