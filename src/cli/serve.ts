// `waxwing serve`: starts everything in order, says where to go next, and stops in the reverse order when asked to.

import { isatty } from 'node:tty'
import { fullVersion } from '../platform/build'
import type { Logger } from '../platform/log'
import { notifyServiceManager } from '../platform/readiness'
import { tellSettings } from '../server/control'
import { type Instance, startInstance } from '../server/instance'
import { type Environment, givenSettings, processEnvironment } from '../settings/config'
import { readConfig, rereadConfig } from './start'

export async function serve(): Promise<number> {
  const { config, log, given } = readConfig()
  log.info({ version: fullVersion, settings: given }, 'starting')
  if (config.role === 'api' && !config.databaseUrl)
    log.warn(
      {},
      'ROLE is api and the database is the built-in one, which no worker can share: no mail will leave',
    )
  if (config.mailTransport === 'ses' && config.snsTopicArns.length === 0)
    log.warn(
      {},
      'SNS_TOPIC_ARN is not set: /webhooks/sns takes nothing, so deliveries, bounces and complaints of SES stay unknown; name your topics',
    )
  const asked = stopSignal()
  surviveForgottenPromises(log)
  const starting = startInstance(config, log, rereadConfig)
  reloadOnHangup(starting)
  const instance = await Promise.race([starting, asked.then(() => undefined)])
  announce(instance ?? (await starting), log)
  const hush = await tellSettings(config.dataDir, settingsOf(await starting), log)
  const { NOTIFY_SOCKET } = processEnvironment()
  notifyServiceManager(NOTIFY_SOCKET, 'READY=1')
  await asked
  notifyServiceManager(NOTIFY_SOCKET, 'STOPPING=1')
  await hush()
  log.info({}, 'stopping: requests and jobs in flight are finished first')
  await (await starting).stop()
  return 0
}

/** As they were given, with the port that was taken. */
function settingsOf({ url }: Instance): Environment {
  const { PORT, ...given } = givenSettings(processEnvironment())
  return url ? { ...given, PORT: new URL(url).port } : { ...given, PORT }
}

/** A terminal that was closed ends what runs in it; to a service, SIGHUP says "reload". */
const hasTerminal = (): boolean => [0, 1, 2].some(handle => isatty(handle))

/** Reloads on SIGHUP once the instance runs. */
function reloadOnHangup(starting: Promise<Instance>): void {
  if (hasTerminal()) return
  process.on('SIGHUP', () => void starting.then(instance => instance.reload()).catch(() => {}))
}

/** Resolves at the first signal that asks to stop; the second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    const ask = (): void => {
      if (asked) process.exit(130)
      asked = true
      resolve()
    }
    const signals = hasTerminal()
      ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      : (['SIGTERM', 'SIGINT'] as const)
    for (const name of signals) process.on(name, ask)
  })
}

/**
 * A promise that nobody waits for is a mistake of ours, but what it was about is lost already: ending the process would take down
 * everything else as well. An exception outside any promise still ends it.
 */
function surviveForgottenPromises(log: Logger): void {
  process.on('unhandledRejection', reason => {
    const { message, stack } = reason instanceof Error ? reason : new Error(String(reason))
    log.error({ error: message, stack }, 'something failed that nobody waited for')
  })
}

/** What a person reads after the start; scripts wait for the first line. One JSON line where that was asked for. */
function announce(instance: Instance, log: Logger): void {
  if (processEnvironment().LOG_FORMAT === 'json') {
    const { stop, reload, ...facts } = instance
    log.info(facts, instance.url ? `listening on ${instance.url}` : 'working (HTTP is off in this role)')
    return
  }
  const { url, metricsUrl, submission, baseUrl, mail, setup, paused, deadLinks } = instance
  const lines = url
    ? [
        `listening on ${url}`,
        `dashboard: ${baseUrl}/app/`,
        `API and its description: ${baseUrl}/docs`,
        `mail leaves through: ${mail}`,
      ]
    : ['working (HTTP is off in this role)']
  if (submission) lines.push(`mail is taken by SMTP on ${submission.join(' and ')}`)
  if (metricsUrl) lines.push(`figures are at ${metricsUrl}/metrics`)
  if (deadLinks) lines.push('', `WARNING: ${deadLinks}`, '')
  if (paused)
    lines.push(`SENDING IS PAUSED: ${paused}. Look around, and run "waxwing resume" when mail may leave.`)
  if (setup) lines.push('', setup)
  process.stderr.write(`${lines.join('\n')}\n`)
}
