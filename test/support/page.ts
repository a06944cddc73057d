// What a page of the documentation holds that can be tried: its blocks, in order, and the addresses, settings and links it names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  page: string
  /** Line of the page at which its first line stands. */
  line: number
  /** What stands behind the opening fence: `sh`, `json`, `sql`, `js`, or nothing. Indented code has none. */
  language: string
  text: string
  isIndented: boolean
}

const root = join(import.meta.dir, '../..')

/** README and all pages of docs/, those that a reader meets first in front. */
export function allPages(): string[] {
  const pages = [...new Bun.Glob('docs/*.md').scanSync(root)].filter(page => page !== 'docs/decisions.md')
  return ['README.md', 'docs/getting-started.md', ...pages.filter(page => !page.includes('getting-')).sort()]
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** Fenced and indented code. An unclosed fence is a fault of the page. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let isFenced = false
  const lines = readPage(page).split('\n')
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)/.exec(line)
    if (fence && isFenced) {
      isFenced = false
      open = undefined
    } else if (fence) {
      isFenced = true
      open = { page, line: index + 2, language: fence[1]!, text: '', isIndented: false }
      blocks.push(open)
    } else if (isFenced) open!.text += `${line}\n`
    else open = readIndented(blocks, open, { page, line, index, before: lines[index - 1] })
  }
  if (isFenced) throw new Error(`${page}: a block is not closed`)
  return blocks
}

interface Place {
  page: string
  line: string
  index: number
  before: string | undefined
}

function readIndented(blocks: Block[], open: Block | undefined, place: Place): Block | undefined {
  const { page, line, index, before } = place
  if (!line.startsWith('    ')) return undefined
  const block = open ?? { page, line: index + 1, language: '', text: '', isIndented: true }
  // Behind a line of text it is a continued list item and no code.
  if (!open && before !== '') return undefined
  if (!open) blocks.push(block)
  block.text += `${line.slice(4)}\n`
  return block
}

export interface NamedRequest {
  method: string
  /** Without query and placeholders of shells. */
  path: string
}

/** Every `METHOD /path` of a page, in its text and in its tables. */
export function requestsNamed(page: string): NamedRequest[] {
  const found = readPage(page).matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?"'),;]*)/g)
  return [...found].map(([, method, path]) => ({ method: method!, path: path!.replace(/[.:]$/, '') }))
}

/** Files that a page links to, by their place below the root. */
export function linksOf(page: string): string[] {
  const folder = page.includes('/') ? 'docs' : ''
  return [...readPage(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target!)
    .filter(target => !/^\w+:/.test(target))
    .map(target => join(folder, target))
}

/** Undefined where `actual` is what the page shows: `…` stands for any text, a list that ends with "…" may go on, and objects may hold more. */
export function difference(shown: unknown, actual: unknown, path = ''): string | undefined {
  if (typeof shown === 'string' && shown.includes('…')) return textDifference(shown, actual, path)
  if (Array.isArray(shown)) return listDifference(shown, actual, path)
  if (typeof shown !== 'object' || shown === null)
    return Object.is(shown, actual)
      ? undefined
      : `${path}: the page shows ${JSON.stringify(shown)}, the answer has ${JSON.stringify(actual)}`
  if (typeof actual !== 'object' || actual === null)
    return `${path}: no object, but ${JSON.stringify(actual)}`
  for (const [key, value] of Object.entries(shown)) {
    const found = difference(value, (actual as Record<string, unknown>)[key], `${path}.${key}`)
    if (found) return found
  }
  return undefined
}

function textDifference(shown: string, actual: unknown, path: string): string | undefined {
  const pattern = shown.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const fits = actual !== undefined && new RegExp(`^${pattern.join('[\\s\\S]*')}$`).test(String(actual))
  return fits ? undefined : `${path}: ${JSON.stringify(actual)} does not look like ${shown}`
}

function listDifference(shown: unknown[], actual: unknown, path: string): string | undefined {
  if (!Array.isArray(actual)) return `${path}: no list, but ${JSON.stringify(actual)}`
  const isOpen = shown.at(-1) === '…'
  const items = isOpen ? shown.slice(0, -1) : shown
  if (isOpen ? actual.length < items.length : actual.length !== items.length)
    return `${path}: the page shows ${items.length} items, the answer has ${actual.length}`
  for (const [index, item] of items.entries()) {
    const found = difference(item, actual[index], `${path}.${index}`)
    if (found) return found
  }
  return undefined
}
