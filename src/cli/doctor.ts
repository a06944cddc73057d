// `waxwing doctor`: tries everything the program depends on, one line each; exit code 1 if one fails.
import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { connectBeside, makeTransport, missingMigrations, systemRandom } from '../compose'
import type { Config } from '../config'
import { networkResolver } from '../platform/dns/client'
import type { Logger } from '../platform/log'
import { readConfig } from './start'

interface Check {
  name: string
  /** Resolves to what was found; throws with what is wrong. */
  run(): Promise<string>
}

export async function doctor(): Promise<number> {
  const { config, log } = readConfig()
  console.log('ok    configuration')
  let failed = 0
  for (const check of checks(config, log)) {
    try {
      console.log(`ok    ${check.name}: ${await check.run()}`)
    } catch (error) {
      failed++
      console.log(`FAIL  ${check.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failed === 0 ? 0 : 1
}

function checks(config: Config, log: Logger): Check[] {
  return [
    { name: 'data directory', run: () => checkDirectory(config.dataDir) },
    { name: 'database', run: () => checkDatabase(config, log) },
    { name: 'DNS resolver', run: () => checkResolver(config) },
    { name: `mail transport (${config.mailTransport})`, run: () => checkTransport(config) },
  ]
}

async function checkDirectory(directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true })
  accessSync(directory, constants.W_OK)
  const { bavail, bsize } = statfsSync(directory)
  const free = (bavail * bsize) / 1024 ** 3
  if (free < 0.5) throw new Error(`${directory} has only ${free.toFixed(2)} GB left`)
  return `${directory}, ${free.toFixed(1)} GB free`
}

async function checkDatabase(config: Config, log: Logger): Promise<string> {
  const database = await connectBeside(config, log)
  try {
    const [row] = await database.sql<
      { version: string }[]
    >`select current_setting('server_version') as version`
    const missing = await missingMigrations(database)
    const state = missing.length > 0 ? 'not up to date (waxwing migrate)' : 'up to date'
    return `PostgreSQL ${row!.version}${database.holder ? ` of the running instance (${database.holder})` : ''}, ${state}`
  } finally {
    await database.close()
  }
}

/** Any answer will do, "no such name" too: the question is whether a name server answers. */
async function checkResolver(config: Config): Promise<string> {
  const resolver = networkResolver({
    servers: config.dnsServers,
    timeoutMs: 2_000,
    tries: 2,
    random: systemRandom,
  })
  const answer = await resolver.ns('example.com')
  if (answer.status === 'failed') throw new Error(`no answer: ${answer.reason}`)
  return `answers (${config.dnsServers.join(', ') || "the system's servers"})`
}

async function checkTransport(config: Config): Promise<string> {
  const transport = makeTransport(config)
  try {
    return await transport.verify()
  } finally {
    await transport.close()
  }
}
