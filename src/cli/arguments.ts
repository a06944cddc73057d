// The arguments of one command: flags by their names, and what stands alone. Whatever is not declared is refused with the usage.
import { parseArgs } from 'node:util'

/** The command line is wrong: the usage is printed and the code is 2. */
export class UsageFault extends Error {}

type Flags = Record<string, 'flag' | 'text'>

export interface Arguments<F extends Flags> {
  flags: { [K in keyof F]: F[K] extends 'flag' ? boolean : string | undefined }
  /** What stands alone, in order. */
  names: string[]
}

/** Reads `given`; `names` says how many words must stand alone, by what they mean. */
export function readArguments<F extends Flags>(
  given: string[],
  flags: F,
  names: readonly string[] = [],
): Arguments<F> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, kind]) => [
      name,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const { values, positionals } = parse(given, options)
  const missing = names[positionals.length]
  if (missing) throw new UsageFault(`${missing} is missing`)
  if (positionals.length > names.length)
    throw new UsageFault(`unexpected argument: ${positionals[names.length]}`)
  const read = Object.keys(flags).map(name => [
    name,
    values[name] ?? (flags[name] === 'flag' ? false : undefined),
  ])
  return { flags: Object.fromEntries(read), names: positionals }
}

function parse(given: string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    return parseArgs({ args: given, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageFault((error as Error).message.split('. ')[0]!)
  }
}
