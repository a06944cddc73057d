// What a setting is: how it is spelt, what it may hold, and the sentence that explains it.
import type { Parsed } from './values'

export interface Option<T = unknown> {
  name: string
  /** As shown in help and README. */
  defaultText: string
  secret?: boolean
  meaning: string
  /** The allowed form, for the message about a wrong value. */
  allowed: string
  parse(text: string): Parsed<T>
}

export function option<T>(
  name: string,
  defaultText: string,
  allowed: string,
  parse: (text: string) => Parsed<T>,
  meaning: string,
  secret = false,
): Option<T> {
  return { name, defaultText, allowed, parse, meaning, secret }
}
