// The arguments of one command: named flags and positional arguments. Anything undeclared is refused, with the usage.
import { parseArgs } from 'node:util'

/** The command line is wrong: the usage is printed and the code is 2. */
export class UsageFault extends Error {}

/** What a command takes besides its positional arguments; `--help` is made from it. */
export interface Flag {
  /** `texts` may be given several times. */
  kind: 'flag' | 'text' | 'texts'
  /** The placeholder for its value in the help. */
  value?: string
  description: string
}

export type Flags = Record<string, Flag>

export interface Arguments<F extends Flags> {
  flags: {
    [K in keyof F]: F[K]['kind'] extends 'flag'
      ? boolean
      : F[K]['kind'] extends 'texts'
        ? string[]
        : string | undefined
  }
  /** The positional arguments, in order. */
  names: string[]
}

/** Reads `given`; `names` says how many words must stand alone, by what they mean. The last may end in `…`: one or more of it. */
export function readArguments<F extends Flags>(
  given: string[],
  flags: F,
  names: readonly string[] = [],
): Arguments<F> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { kind }]) => [
      name,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: kind === 'texts' },
    ]),
  )
  const { values, positionals } = parse(given, options)
  const missing = names[positionals.length]
  if (missing) throw new UsageFault(`${missing.replace('…', '')} is missing`)
  if (positionals.length > names.length && !names.at(-1)?.endsWith('…'))
    throw new UsageFault(`unexpected argument: ${positionals[names.length]}`)
  const read = Object.keys(flags).map(name => [name, values[name] ?? absent[flags[name]!.kind]])
  return { flags: Object.fromEntries(read), names: positionals }
}

const absent = { flag: false, text: undefined, texts: [] as string[] }

function parse(given: string[], options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }>) {
  try {
    return parseArgs({ args: given, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageFault((error as Error).message.split('. ')[0]!)
  }
}
