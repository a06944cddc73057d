// Header fields of a word and parameters behind it: Content-Type and Content-Disposition (RFC 2045, 5.1; RFC 2183). Pure.
import { foldHeader, parameter } from './header-lines'

type Parameters = Array<[name: string, value: string]>

const maxText = 4_000
const token = /^[\w!#$%&'*+.^`{|}~-]+$/

/** Those that are well formed, by name in lower case; of two with one name the first. */
export function readParameters(text: string): Parameters {
  const pattern =
    /;\s{0,20}([\w!#$&^.+*-]{1,100})\s{0,20}=\s{0,20}(?:"((?:[^"\\]|\\.){0,900})"|([^\s;"]{1,900}))\s{0,20}(?=;|$)/g
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, bare] of text.slice(0, maxText).matchAll(pattern)) {
    const name = key.toLowerCase()
    if (!parameters.has(name)) parameters.set(name, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '')
  }
  return [...parameters]
}

/** `Name: word; a=b` with CRLF; `more` are parameters that are lines already. */
export function parameterHeader(name: string, word: string, parameters: Parameters, more = ''): string {
  const short = parameters.filter(([, value]) => token.test(value))
  const quoted = parameters.filter(([key, value]) => !token.test(value) && !key.includes('*'))
  const line = foldHeader(name, [word, ...short.map(([key, value]) => `${key}=${value}`)].join('; '))
  return `${line.trimEnd()}${quoted.map(([key, value]) => parameter(key, value)).join('')}${more}\r\n`
}
