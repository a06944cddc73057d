// What every command does first: read the settings, make a logger.
import { availableParallelism } from 'node:os'
import { type Config, loadConfig } from '../config'
import { type Logger, makeLogger } from '../platform/log'

export function readConfig(): { config: Config; log: Logger } {
  const machine = { cpus: availableParallelism(), stderrIsTerminal: process.stderr.isTTY === true }
  const config = loadConfig(process.env, machine)
  return { config, log: makeLogger({ level: config.logLevel, format: config.logFormat }) }
}
