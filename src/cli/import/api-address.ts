// The address and the key of another program's API, as the command line names them.
import { readFileSync } from 'node:fs'
import { UsageFault } from '../arguments'
import { SourceFault } from './record'

/** Without the slash at its end. */
export function parseAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageFault(`${address} is not an http or https address`)
  if (url.username !== '' || url.password !== '') throw new UsageFault('the key belongs in --key-file')
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return `${url.origin}${path}`
}

export function isHttp(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** From a file, or from standard input for `-`: what is on a command line is seen by everybody on the machine. */
export function readKey(path: string | undefined): string {
  if (path === undefined)
    throw new UsageFault('--key-file is missing: a file with the key, or - for standard input')
  let text: string
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new SourceFault(`${path} cannot be read (${(error as { code?: string }).code ?? error})`)
  }
  const key = text.trim()
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) throw new SourceFault('the key must be one line without spaces')
  return key
}
