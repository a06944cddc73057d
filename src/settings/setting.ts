// The entries of the table of settings, and the types derived from them: the configuration declares none of its own.
import type { Format } from './formats'

/** Facts about the machine that the environment does not hold. */
export interface Machine {
  cpus: number
  stderrIsTerminal: boolean
}

/** What applies where a setting is not given, worded for help and README: a text is the default itself, written as it would be given. */
type Fallback<T> = string | Unset | Calculated<T>

interface Unset {
  readonly kind: 'optional' | 'required'
  readonly words: string
}

export interface Calculated<T, Needs = never> {
  readonly kind: 'calculated'
  readonly words: string
  calculate(config: Needs, machine: Machine): T
}

export const optional = (words = '') => ({ kind: 'optional', words }) as const

/** Without this setting, the whole group that it is in is undefined. */
export const required = (words = '') => ({ kind: 'required', words }) as const

/** Derived from the machine and other settings: all that are not calculated, and those before it in the table. */
export const calculated = <T, Needs>(
  words: string,
  calculate: (config: Needs, machine: Machine) => T,
): Calculated<T, Needs> => ({ kind: 'calculated', words, calculate })

interface More {
  /** Never shown, neither at startup nor in a message about a wrong value. */
  readonly secret?: boolean
  /** It has no effect while none of these is given. */
  readonly needs?: readonly string[]
  /** Its other half: one without the other is a fault. */
  readonly pair?: string
}

export interface Setting<Name extends string = string, T = unknown, F = Fallback<T>> extends More {
  readonly name: Name
  readonly format: Format<T>
  readonly fallback: F
  readonly meaning: string
}

export function setting<Name extends string, T, F extends Fallback<T>>(
  name: Name,
  format: Format<T>,
  fallback: F,
  meaning: string,
  more?: More,
): Setting<Name, T, F> {
  return { name, format, fallback, meaning, ...more }
}

export interface Table {
  readonly [key: string]: Setting | Table
}

/** A group of settings without effect unless one of `needs` is given. */
export function group<T extends Table>(needs: readonly string[], table: T): T {
  const needing = (entry: Setting | Table): Setting | Table =>
    isSetting(entry)
      ? { ...entry, needs: needs.includes(entry.name) ? [] : needs }
      : Object.fromEntries(Object.entries(entry).map(([key, inner]) => [key, needing(inner)]))
  return needing(table) as T
}

export function isSetting(entry: Setting | Table): entry is Setting {
  return typeof entry.name === 'string'
}

/** The entries of a table and of the groups in it, in its order. */
export function entriesOf(table: Table): Setting[] {
  return Object.values(table).flatMap(entry => (isSetting(entry) ? [entry] : entriesOf(entry)))
}

/** As help and README show it; '' where there is nothing to show. */
export function defaultText({ fallback }: Setting): string {
  return typeof fallback === 'string' ? fallback : fallback.words
}

type ValueOf<S> = S extends { format: Format<infer T>; fallback: infer F }
  ? T | (F extends { kind: 'optional' } ? undefined : never)
  : ConfigOf<S> | (true extends Requires<S> ? undefined : never)

type Requires<S> = { [K in keyof S]: S[K] extends { fallback: { kind: 'required' } } ? true : false }[keyof S]

type MayLack<S, K extends keyof S> = undefined extends ValueOf<S[K]> ? K : never

/** The type that a table is read into. */
export type ConfigOf<S> = {
  readonly [K in keyof S as MayLack<S, K>]?: ValueOf<S[K]>
} & { readonly [K in keyof S as Exclude<K, MayLack<S, K>>]: ValueOf<S[K]> }

export type EntriesIn<S> = S extends { format: unknown } ? S : { [K in keyof S]: EntriesIn<S[K]> }[keyof S]

/** What was given, by the names of settings. */
export type GivenOf<S> = {
  [E in EntriesIn<S> as E extends { name: infer N extends string } ? N : never]?: E extends {
    format: Format<infer T>
  }
    ? T
    : never
}
