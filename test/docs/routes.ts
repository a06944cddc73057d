// The addresses that exist, to hold what pages name against.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownEndpoints } from '../data/own-endpoints'

export interface Route {
  fits(method: string, path: string): boolean
}

const documented = readFileSync(join(import.meta.dir, '../data/endpoints.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.split('\t').slice(0, 2) as [method: string, path: string])

const own = ownEndpoints.map(each => each.split(' ') as [method: string, path: string])

/** Served without being part of the interface: descriptions of the API. */
const described: Array<[method: string, path: string]> = [
  ['GET', '/docs'],
  ['GET', '/docs/reference.json'],
  ['GET', '/openapi.json'],
]

export const servedRoutes: readonly Route[] = [...documented, ...own, ...described].map(([method, path]) => {
  const pattern = path
    .split('/')
    .map(part => (part === ':key' ? '.+' : part.startsWith(':') ? '[^/]+' : part))
  const whole = new RegExp(`^${pattern.join('/')}/?$`)
  return { fits: (asked, address) => asked === method && (whole.test(address) || isShortened(path, address)) }
})

/** `…/invitations/:id` in a table stands for the end of an address. */
function isShortened(path: string, address: string): boolean {
  return address.startsWith('/…') && path.endsWith(address.slice(2))
}
