// A known path with a method that it does not support: 404 as the interface says, but listing the methods that it has.
import { AppError } from '../lib/errors'

export interface Route {
  method: string
  path: string
}

/** Answers the error for a request whose path is known; undefined if it is not. `routes` is called once, at the first miss. */
export function methodFault(
  routes: () => readonly Route[],
): (request: Pick<Request, 'method' | 'url'>) => AppError | undefined {
  let known: Pattern[] | undefined
  return ({ method, url }) => {
    known ??= routes().map(toPattern)
    const path = segmentsOf(new URL(url).pathname)
    const methods = new Set(known.filter(each => matches(each.segments, path)).map(each => each.method))
    // A path that has the method was refused by its handler.
    if (methods.size === 0 || methods.has(method)) return undefined
    const allowed = [...methods].sort()
    return new AppError(404, 'RESOURCE_NOT_FOUND', `There is no ${method} at this address`, {
      details: { resource: 'route', allowed },
      suggestion: `Use ${allowed.join(' or ')}.`,
      headers: { Allow: allowed.join(', ') },
    })
  }
}

interface Pattern {
  method: string
  segments: string[]
}

function toPattern({ method, path }: Route): Pattern {
  return { method, segments: segmentsOf(path) }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(segment => segment !== '')
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  const length = isOpen ? pattern.length - 1 : pattern.length
  if (isOpen ? path.length < length : path.length !== length) return false
  return pattern
    .slice(0, length)
    .every((segment, index) => segment.startsWith(':') || segment === path[index])
}
