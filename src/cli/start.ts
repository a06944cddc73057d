// What every command does first: read the settings, make a logger.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseEnv } from 'node:util'
import { type Logger, makeLogger } from '../platform/log'
import {
  type Config,
  describeConfig,
  loadConfig,
  misspelledSettings,
  processEnvironment,
} from '../settings/config'

const machine = () => ({ cpus: availableParallelism(), stderrIsTerminal: process.stderr.isTTY === true })

/**
 * The settings as they are now: the environment of a process does not change, but the files that it names do, and LOG_LEVEL in the `.env`
 * file of the working directory. Throws a ConfigFault like `readConfig`.
 */
export function rereadConfig(environment = processEnvironment()): Config {
  const { LOG_LEVEL } = parseEnv(readIfThere('.env'))
  return loadConfig(LOG_LEVEL ? { ...environment, LOG_LEVEL } : environment, machine())
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function readConfig(environment = processEnvironment()): {
  config: Config
  log: Logger
  given: Record<string, string>
} {
  const config = loadConfig(environment, machine())
  const log = makeLogger({ level: config.logLevel, format: config.logFormat })
  for (const { name, meant } of misspelledSettings(environment))
    log.warn({}, `${name} has no effect: there is no such setting${meant ? `. Did you mean ${meant}?` : ''}`)
  return { config, log, given: describeConfig(environment) }
}
