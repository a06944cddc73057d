// Entry: reads the command line and calls one command. No top-level await, so that the compiled binary can carry bytecode.
import { UsageFault } from './cli/arguments'
import { findCommand, helpOf, usage, usageOf } from './cli/commands'
import { systemClock } from './server/compose'
import { ConfigFault, processEnvironment } from './settings/config'

/** EX_CONFIG of sysexits.h: a service manager need not start again what can't start (RestartPreventExitStatus in the unit). */
const configFaultCode = 78

async function main(): Promise<number> {
  // A time without a zone means the same on all machines, in templates and where a client schedules something.
  process.env.TZ = 'UTC'
  const [name = 'serve', ...rest] = process.argv.slice(2)
  const command = findCommand(name)
  if (!command) return refuse(usage(`unknown command: ${name}`))
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(helpOf(command))
    return 0
  }
  if (rest.length > 0 && !command.arguments)
    return refuse(usageOf(command, `unexpected argument: ${rest[0]}`))
  try {
    return await command.run(rest)
  } catch (error) {
    if (error instanceof UsageFault) return refuse(usageOf(command, error.message))
    throw error
  }
}

/** In the format of the log, which others may read line by line. */
function fatal(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  if (processEnvironment().LOG_FORMAT === 'json')
    return JSON.stringify({ level: 'fatal', time: systemClock.now().toISOString(), msg: words })
  return error instanceof ConfigFault ? words : `waxwing: ${words}`
}

function refuse(words: string): number {
  console.error(words)
  return 2
}

main().then(
  code => process.exit(code),
  error => {
    // Expected faults are reported in words; a stack trace helps only where the program itself is at fault.
    console.error(fatal(error))
    if (processEnvironment().LOG_LEVEL === 'debug' && error instanceof Error) console.error(error.stack)
    process.exit(error instanceof ConfigFault ? configFaultCode : 1)
  },
)
