// `waxwing doctor`: tries everything the program depends on, a line for each finding; exit code 1 if one fails, warnings do not count.

import { networkResolver } from '../mail/dns/client'
import { fullVersion } from '../platform/build'
import type { Logger } from '../platform/log'
import { billingChecks } from '../server/checks/billing'
import { type Check, type Finding, fail, pass, printed, warn } from '../server/checks/check'
import { type CheckedDatabase, checkDatabase, databaseChecks } from '../server/checks/database'
import { domainChecks } from '../server/checks/domains'
import { instanceChecks } from '../server/checks/instance'
import { fileChecks, machineChecks } from '../server/checks/machine'
import { mailChecks, returnedMailChecks } from '../server/checks/mail'
import { buildContext, connectBeside, requireDatabase, systemRandom } from '../server/compose'
import { askSettings } from '../server/control'
import { type Config, type Environment, givenSettings, processEnvironment } from '../settings/config'
import { readConfig } from './start'

export async function doctor(): Promise<number> {
  const { config, log, findings, isRunning } = await settingsInForce()
  let failed = 0
  const print = (findings: Finding[]): void => {
    for (const finding of findings) {
      if (finding.level === 'FAIL') failed++
      console.log(printed(finding))
    }
  }
  print([pass('version', fullVersion), ...findings])
  const dns = networkResolver({
    servers: config.dnsServers,
    timeoutMs: 2_000,
    tries: 2,
    random: systemRandom,
  })
  for (const check of machineChecks(config)) print(await outcome(check))
  const others = [
    ...(isRunning ? instanceChecks(config) : []),
    ...fileChecks(config),
    ...mailChecks(config, dns),
    ...returnedMailChecks(config, dns),
    ...billingChecks(config),
  ]
  for (const check of others) print(await outcome(check))
  await withDatabase(config, log, isRunning && config.role !== 'api', print)
  return failed === 0 ? 0 : 1
}

interface InForce {
  config: Config
  log: Logger
  findings: Finding[]
  isRunning: boolean
}

/** The running instance knows its settings; a shell may have others, or none. */
async function settingsInForce(): Promise<InForce> {
  const about = 'configuration'
  const here = readConfig()
  const { dataDir } = here.config
  const running = await askSettings(dataDir)
  if (!running)
    return {
      ...here,
      isRunning: false,
      findings: [pass(about, `can be read; it is this shell's, because no instance answers in ${dataDir}`)],
    }
  const { pid, given } = running
  const others = differingSettings(givenSettings(processEnvironment()), given)
  const inForce = readConfig({ ...given, DATA_DIR: dataDir })
  if (others.length === 0)
    return {
      ...inForce,
      isRunning: true,
      findings: [pass(about, `that of the running instance (pid ${pid})`)],
    }
  const words = `that of the running instance (pid ${pid}); this shell has another ${others.join(', ')}, which does not count`
  return { ...inForce, isRunning: true, findings: [warn(about, words)] }
}

/** Those that say nothing about one machine or shell. */
const ownToShell = new Set(['DATA_DIR', 'PORT', 'LOG_LEVEL', 'LOG_FORMAT'])

function differingSettings(here: Environment, there: Environment): string[] {
  return Object.keys(here).filter(name => !ownToShell.has(name) && here[name] !== there[name])
}

/** What goes wrong in a check becomes its finding; the others go on. */
async function outcome({ about, run }: Check): Promise<Finding[]> {
  try {
    return await run()
  } catch (error) {
    return [fail(about, error instanceof Error ? error.message : String(error))]
  }
}

async function withDatabase(
  config: Config,
  log: Logger,
  hasRunner: boolean,
  print: (findings: Finding[]) => void,
): Promise<void> {
  let database: CheckedDatabase | undefined
  let isCurrent = false
  const reach = async (): Promise<Finding[]> => {
    // A check changes nothing: where there is no database, none is made.
    requireDatabase(config)
    database = await connectBeside(config, log)
    const answer = await checkDatabase(database)
    isCurrent = answer.isCurrent
    return [answer.finding]
  }
  print(await outcome({ about: 'database', run: reach }))
  if (database && isCurrent) {
    for (const check of databaseChecks(config, database, hasRunner)) print(await outcome(check))
    print(await outcome({ about: 'domains', run: () => lookAtDomains(config, database!, log) }))
  }
  await database?.close()
}

/** Only an instance that has run has domains, and only with its secrets can it be asked about them. */
async function lookAtDomains(config: Config, database: CheckedDatabase, log: Logger): Promise<Finding[]> {
  const [row] = await database.sql<{ found: boolean }[]>`select exists (select 1 from domains) as found`
  if (!row?.found) return [pass('domains', 'no project has any yet')]
  const ctx = await buildContext(config, database, log)
  try {
    return await domainChecks(ctx)
  } finally {
    await ctx.mail.close()
  }
}
