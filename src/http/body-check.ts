// What a parsed JSON body may never carry, whatever the schema says: endless nesting or members, text the database can't store,
// and `__proto__` keys. Walks without recursion, so that depth itself can't break it. Pure, except that it deletes `__proto__`.
import type { FieldError } from '../lib/errors'
import { invalid } from '../lib/errors'
import { maxDepth, maxMembers } from './json-text'

const prototypeKey = '__proto__'

interface Node {
  value: object
  path: string
  depth: number
}

/** Removes `__proto__` keys in place and returns the first fault found. */
export function checkBody(body: unknown): FieldError | undefined {
  if (typeof body === 'string') return undefined
  const open: Node[] = isTree(body) ? [{ value: body, path: '', depth: 1 }] : []
  let members = 0
  for (let node = open.pop(); node; node = open.pop()) {
    members += sizeOf(node.value)
    if (members > maxMembers)
      return {
        field: node.path.split('.', 3).join('.'),
        message: `The body has more than ${maxMembers} members`,
        code: 'too_big',
      }
    if (node.depth > maxDepth)
      return {
        field: node.path.split('.', 3).join('.'),
        message: `Is nested deeper than ${maxDepth} levels`,
        code: 'too_big',
      }
    const fault = checkNode(node, open)
    if (fault) return fault
  }
  return undefined
}

function sizeOf(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function checkNode(node: Node, open: Node[]): FieldError | undefined {
  const { value, path, depth } = node
  // Harmless as parsed, dangerous to whoever copies members by assignment.
  if (Object.hasOwn(value, prototypeKey)) Reflect.deleteProperty(value, prototypeKey)
  for (const [key, child] of Object.entries(value)) {
    const childPath = path === '' ? key : `${path}.${key}`
    if (!isStorable(key)) return unstorable(path)
    if (typeof child === 'string' && !isStorable(child)) return unstorable(childPath)
    if (isTree(child)) open.push({ value: child, path: depth > 4 ? path : childPath, depth: depth + 1 })
  }
  return undefined
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Blob)
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function unstorable(field: string): FieldError {
  return { field, message: 'Must not contain NUL characters or broken Unicode', code: 'invalid_string' }
}

/** The `parse` of a route whose body is optional; whatever its Content-Type says, which `curl -d` gets wrong. */
export async function optionalBody({ request }: { request: Request }): Promise<unknown> {
  const text = await request.text()
  const body: unknown = text.trim() === '' ? {} : ((await request.json()) ?? {})
  if (typeof body === 'object' && !Array.isArray(body)) return body
  const received = Array.isArray(body) ? 'array' : typeof body
  const message = `Expected object, received ${received}`
  throw invalid([{ field: '', message, code: 'invalid_type', received }])
}
