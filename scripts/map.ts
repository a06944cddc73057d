// Draws the graph of modules (src/modules/graph.ts) into the map, between its marks: what each module uses, without arrows that the
// others imply.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleGraph, moduleGroups } from '../src/modules/graph'

const page = join(import.meta.dir, '../src/README.md')
const marks = ['<!-- modules -->', '<!-- /modules -->'] as const

/** Everything that a module reaches, directly or through others. */
function reach(name: string): Set<string> {
  const direct = moduleGraph[name] ?? []
  return new Set([...direct, ...direct.flatMap(other => [...reach(other)])])
}

/** The arrows worth drawing: one that others imply shows a reader nothing new. */
function telling(name: string): string[] {
  const direct = moduleGraph[name]!
  return direct.filter(one => !direct.some(other => other !== one && reach(other).has(one)))
}

/** One line per group, the lowest first, as the folders are told of everywhere else. */
export function drawModules(): string {
  const groups = Object.entries(moduleGroups)
  const width = Math.max(...groups.map(([group]) => group.length)) + 2
  const lines = groups.map(
    ([group, modules]) => `${group.padEnd(width)}${Object.keys(modules).map(draw).join('    ')}`,
  )
  return ['```', ...lines, '```'].join('\n')
}

function draw(name: string): string {
  const below = telling(name)
  return below.length === 0 ? name : `${name} → ${below.join(', ')}`
}

/** The page with the graph as it is now. */
export function withModules(text: string): string {
  const [from, to] = marks.map(mark => text.indexOf(mark)) as [number, number]
  if (from === -1 || to === -1)
    throw new Error(`src/README.md has no place for the modules: ${marks.join(' … ')}`)
  return `${text.slice(0, from + marks[0].length)}\n${drawModules()}\n${text.slice(to)}`
}

if (import.meta.main) writeFileSync(page, withModules(readFileSync(page, 'utf8')))
