// Environment -> frozen Config, by the table of settings. Every fault is reported at once, in plain words, before anything is touched.
// The only file that reads the process's environment.

import { readFileSync } from 'node:fs'
import { faultsBetween, type Given } from './rules'
import {
  type ConfigOf,
  type EntriesIn,
  entriesOf,
  isSetting,
  type Machine,
  type Setting,
  type Table,
} from './setting'
import { localAddress, settings } from './table'

export interface Config extends ConfigOf<typeof settings> {
  /** False when `baseUrl` was made from the port. */
  readonly baseUrlGiven: boolean
}

export type SubmissionConfig = NonNullable<Config['submission']>
export type Provider = keyof Config['oauth']
export type ProviderSettings = NonNullable<Config['oauth'][Provider]>

/** Every setting that this version reads, in the order of the table. */
export const allSettings: readonly Setting[] = entriesOf(settings)

export type Environment = Record<string, string | undefined>

/** The environment of this process, a `.env` file of the working directory included. */
export function processEnvironment(): Environment {
  return process.env
}

/** The configuration cannot be used; `faults` holds one line per problem. */
export class ConfigFault extends Error {
  constructor(readonly faults: string[]) {
    super(`configuration:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}

/** Reads every setting; throws one ConfigFault that names all problems. An empty or blank variable counts as unset. */
export function loadConfig(environment: Environment, machine: Machine): Config {
  const faults: string[] = []
  const written = givenSettings(environment, faults)
  const read = Object.entries(written).map(([name, text]) => [name, readSetting(name, text, faults)])
  const given: Given = Object.fromEntries(read)
  faults.push(...unknownPrices(environment))
  faults.push(...faultsBetween(given, name => name in written))
  if (faults.length > 0) throw new ConfigFault(faults)
  return Object.freeze({ ...resolve(given, machine), baseUrlGiven: given.BASE_URL !== undefined })
}

function readSetting(name: string, text: string, faults: string[]): unknown {
  const { format, secret } = settingNamed(name)!
  const parsed = format.parse(text)
  if ('value' in parsed) return parsed.value
  const shown = secret ? '***' : JSON.stringify(text.slice(0, 200))
  const why = parsed.fault ? ` (${parsed.fault})` : ''
  faults.push(`${name} is ${shown}, but it must be ${format.allowed}${why}`)
  return undefined
}

export function settingNamed(name: string): Setting | undefined {
  return allSettings.find(setting => setting.name === name)
}

/** A price whose name is misspelt would be left out of every checkout. */
function unknownPrices(environment: Environment): string[] {
  return Object.keys(environment)
    .filter(name => name.startsWith('STRIPE_PRICE_') && environment[name]?.trim() && !settingNamed(name))
    .map(name => `${name} is set, but there is no such price; remove it`)
}

type Calculate = Extract<EntriesIn<typeof settings>['fallback'], { kind: 'calculated' }>['calculate']
/** Where calculated values go. */
type Later = Array<{ group: Record<string, unknown>; key: string; calculate: Calculate }>

function resolve(given: Given, machine: Machine): ConfigOf<typeof settings> {
  const later: Later = []
  const config = build(settings, given, later) as ConfigOf<typeof settings>
  for (const { group, key, calculate } of later) group[key] = calculate(config, machine)
  return config
}

/** Undefined for a group without what it requires. */
function build(table: Table, given: Record<string, unknown>, later: Later): object | undefined {
  const built: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(table)) {
    if (!isSetting(entry)) {
      built[key] = build(entry, given, later)
      continue
    }
    const { name, format, fallback } = entry
    if (name in given) built[key] = given[name]
    else if (typeof fallback === 'string') built[key] = (format.parse(fallback) as { value: unknown }).value
    else if (fallback.kind === 'required') return undefined
    else if (fallback.kind === 'calculated')
      later.push({ group: built, key, calculate: fallback.calculate as Calculate })
  }
  return built
}

/** The same configuration once the actual port is known (PORT=0). */
export function withPort(config: Config, port: number): Config {
  return Object.freeze({
    ...config,
    port,
    baseUrl: config.baseUrlGiven ? config.baseUrl : localAddress({ port }),
  })
}

/**
 * The settings that were given, as they were written; secrets are not masked. A secret may be in a file that `NAME_FILE` names: it counts
 * as given, with the content of the file. What can't be read, or was given twice, goes to `faults`.
 */
export function givenSettings(environment: Environment, faults: string[] = []): Record<string, string> {
  const given = allSettings.map(({ name, secret }) => {
    const text = environment[name]?.trim()
    const file = secret ? environment[fileNameOf(name)]?.trim() : undefined
    if (!file) return [name, text]
    if (text) faults.push(`${name} and ${fileNameOf(name)} are both set; set one of them`)
    const read = readSecretFile(file)
    if ('fault' in read) faults.push(`${fileNameOf(name)} is ${JSON.stringify(file)}, but ${read.fault}`)
    return [name, 'value' in read ? read.value : undefined]
  })
  return Object.fromEntries(given.filter(([, text]) => text))
}

/** The variables of an environment that look like settings and are none, in the order of their names. */
export function misspelledSettings(environment: Environment): Unknown[] {
  const known = allSettings.flatMap(({ name, secret }) => (secret ? [name, fileNameOf(name)] : [name]))
  const names = Object.keys(environment).filter(name => environment[name]?.trim())
  return unknownSettings(names.sort(), known)
}

/** The same as fields of the line that is logged at startup, with secrets masked. */
export function describeConfig(environment: Environment): Record<string, string> {
  const given = Object.entries(givenSettings(environment))
  return Object.fromEntries(given.map(([name, text]) => [name, settingNamed(name)!.secret ? '***' : text]))
}

/** Longer than any secret, key in PEM, or URL. */
const maxBytes = 64 * 1024

export const fileNameOf = (name: string): string => `${name}_FILE`

/** The content of a file without the line end behind it, or words on why there is none. */
export function readSecretFile(path: string): { value: string } | { fault: string } {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const code = (error as { code?: string }).code
    return {
      fault:
        code === 'ENOENT'
          ? 'there is no such file'
          : code === 'EACCES'
            ? `the user that runs Waxwing can't read it`
            : 'it cannot be read',
    }
  }
  if (text === '') return { fault: 'it is empty' }
  if (text.length > maxBytes || text.includes('\0')) return { fault: 'it is not a text of at most 64 kB' }
  return { value: text }
}

/** First words that other programs use as well: what begins so and is none of ours proves nothing. */
const sharedFamilies = new Set(['AWS_', 'GITHUB_', 'GOOGLE_', 'LOG_', 'S3_', 'STRIPE_'])

export interface Unknown {
  name: string
  /** The setting that was probably meant. */
  meant?: string
}

/** The variables of an environment that begin like a setting of ours, or are a slip away from one. */
export function unknownSettings(names: Iterable<string>, known: readonly string[]): Unknown[] {
  const settings = new Set(known)
  const families = familiesOf(known)
  return [...names]
    .filter(name => !settings.has(name) && name.length <= 64)
    .map(name => ({ name, meant: nearest(name, known) }))
    .filter(({ name, meant }) => meant !== undefined || families.some(family => name.startsWith(family)))
}

/** The first words of settings of which there are several. */
function familiesOf(known: readonly string[]): string[] {
  const firsts = known.filter(name => name.includes('_')).map(name => name.slice(0, name.indexOf('_') + 1))
  const families = new Set(firsts.filter((first, index) => firsts.indexOf(first) !== index))
  return [...families].filter(family => !sharedFamilies.has(family))
}

/** A setting that two letters changed, left out, added or swapped lead to; short names are too near to others. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length < 6) return undefined
  return known.find(
    one => one.length >= 6 && Math.abs(one.length - name.length) <= 2 && distance(one, name) <= 2,
  )
}

/** Changes of one letter, and swaps of two neighbors, between two texts (Damerau and Levenshtein). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = best
    }
  return rows[a.length]![b.length]!
}
