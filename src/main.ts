// Entry: reads the command line and calls one command. No top-level await, so that the compiled binary can carry bytecode.
import { findCommand, usage } from './cli/commands'
import { ConfigFault, processEnvironment } from './config'

async function main(): Promise<number> {
  const [name = 'serve', ...rest] = process.argv.slice(2)
  const command = findCommand(name)
  if (!command || rest.length > 0) {
    console.error(usage(command ? `unexpected argument: ${rest[0]}` : `unknown command: ${name}`))
    return 2
  }
  return await command.run()
}

main().then(
  code => process.exit(code),
  error => {
    // Expected faults are told in words; a stack helps only where the program itself is wrong.
    console.error(
      error instanceof ConfigFault
        ? error.message
        : `waxwing: ${error instanceof Error ? error.message : error}`,
    )
    if (processEnvironment().LOG_LEVEL === 'debug' && error instanceof Error) console.error(error.stack)
    process.exit(1)
  },
)
