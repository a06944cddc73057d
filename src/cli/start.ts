// What every command does first: read the settings, make a logger.
import { availableParallelism } from 'node:os'
import { type Logger, makeLogger } from '../platform/log'
import { type Config, describeConfig, loadConfig, processEnvironment } from '../settings/config'

export function readConfig(environment = processEnvironment()): {
  config: Config
  log: Logger
  given: Record<string, string>
} {
  const machine = { cpus: availableParallelism(), stderrIsTerminal: process.stderr.isTTY === true }
  const config = loadConfig(environment, machine)
  const log = makeLogger({ level: config.logLevel, format: config.logFormat })
  return { config, log, given: describeConfig(environment) }
}
