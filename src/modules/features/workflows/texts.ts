// The texts of a step that are filled in like templates when it runs. Pure.

import { hasDelimiters, type LiquidSource } from '../../../liquid/syntax'
import type { Step } from './definition'

/** A name that an author gave is shown no longer than this. */
const shownLength = 100

/** The texts with Liquid of a WEBHOOK or UPDATE_CONTACT, each with its place: `config.headers.Authorization`. */
export function filledTexts({ type, config }: Pick<Step, 'type' | 'config'>): LiquidSource[] {
  const found: LiquidSource[] = []
  if (type === 'WEBHOOK')
    for (const name of ['url', 'headers', 'body']) collect(config[name], `config.${name}`, found)
  if (type === 'UPDATE_CONTACT') {
    const name = config['updates'] ? 'updates' : 'data'
    collect(config[name], `config.${name}`, found)
  }
  return found
}

function collect(value: unknown, field: string, found: LiquidSource[]): void {
  if (typeof value === 'string') {
    if (hasDelimiters(value)) found.push({ field, source: value })
  } else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      collect(item, `${field}.${key.slice(0, shownLength)}`, found)
}
