// Structured lines on stderr: JSON, or readable text on a terminal. What looks like a secret is masked before it is written.
import pino from 'pino'
import pretty from 'pino-pretty'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** A logger that adds `fields` to each of its lines. */
  child(fields: object): Logger
}

const secretPaths = ['password', 'secret', 'authorization', 'cookie', 'token', 'apiKey', 'private']

export function makeLogger(options: { level: LogLevel; format: 'pretty' | 'json' }): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretPaths.flatMap(path => [path, `*.${path}`]), censor: '***' },
    formatters: { level: label => ({ level: label }) },
  }
  const stream =
    options.format === 'pretty'
      ? pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY, translateTime: 'SYS:HH:MM:ss' })
      : pino.destination({ dest: 2, sync: true })
  return pino(settings, stream) as unknown as Logger
}

/** From now on, the lines of that level and above are written. */
export function setLogLevel(log: Logger, level: LogLevel): void {
  ;(log as unknown as pino.Logger).level = level
}

/** Says nothing; for tests. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
}
