// `waxwing serve`: starts everything in order, says where to go next, and stops in the reverse order when asked to.

import { version } from '../../package.json'
import { type Instance, startInstance } from '../instance'
import { readConfig } from './start'

export async function serve(): Promise<number> {
  const { config, log, given } = readConfig()
  log.info({ version, settings: given }, 'starting')
  if (config.role === 'api' && !config.databaseUrl)
    log.warn(
      {},
      'ROLE is api and the database is the built-in one, which no worker can share: no mail will leave',
    )
  const asked = stopSignal()
  const starting = startInstance(config, log)
  const instance = await Promise.race([starting, asked.then(() => undefined)])
  await announce(instance ?? (await starting))
  await asked
  log.info({}, 'stopping: requests and jobs in flight are finished first')
  await (await starting).stop()
  return 0
}

/** Resolves at the first SIGTERM or SIGINT; the second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    const ask = (): void => {
      if (asked) process.exit(130)
      asked = true
      resolve()
    }
    process.on('SIGTERM', ask)
    process.on('SIGINT', ask)
  })
}

/** The lines a person reads after the start; scripts wait for the first one. */
async function announce(instance: Instance): Promise<void> {
  const { url, baseUrl, mail, setup } = instance
  if (!url) return void process.stderr.write('working (HTTP is off in this role)\n')
  const lines = [
    `listening on ${url}`,
    `API and its description: ${baseUrl}/docs`,
    `mail leaves through: ${mail}`,
  ]
  if (setup) lines.push('', setup)
  process.stderr.write(`${lines.join('\n')}\n`)
}
