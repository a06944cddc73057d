// Which names a template prints bare: without a fallback, without a filter that could supply one, and without a condition about them
// anywhere. Where such a value is missing, a reader sees a gap.
import { readPlaceholder } from './placeholder'
import { scanTemplate } from './scan'

export function bareNames(source: string): string[] {
  const names = new Set<string>()
  let asked = ''
  for (const { kind, start, end } of scanTemplate(source)) {
    const inside = source.slice(start + 2, end - 2)
    if (kind === 'tag') asked += ` ${inside}`
    if (kind !== 'output') continue
    const { subject, fallback, filters } = readPlaceholder(inside)
    if (fallback === undefined && filters === undefined && /^[\w.-]+$/.test(subject))
      names.add(subject.replace(/^data\./, ''))
  }
  return [...names].filter(name => !asked.includes(name))
}

/** Which names a template prints with something that stands in where they are missing. */
export function backedNames(source: string): string[] {
  const names = new Set<string>()
  for (const { kind, start, end } of scanTemplate(source)) {
    if (kind !== 'output') continue
    const { subject, fallback, filters } = readPlaceholder(source.slice(start + 2, end - 2))
    const isBacked = fallback !== undefined || /(?:^|\|)\s*default\b/.test(filters ?? '')
    if (isBacked && /^[\w.-]+$/.test(subject)) names.add(subject.replace(/^data\./, ''))
  }
  return [...names]
}
