// Header fields of a message that came finished, as they were written: with their folds, a character for each byte. Pure.
import { splitHeaders } from '../dkim/canonical'

export interface Field {
  /** In lower case. */
  name: string
  /** The whole field, without the line end behind it. */
  text: string
}

/** Lines that are no field are left out: for some readers they would end the header. */
export function readFields(head: string): Field[] {
  return splitHeaders(head).flatMap(text => {
    const name = text.slice(0, Math.max(text.indexOf(':'), 0)).trimEnd()
    return /^[!-9;-~]+$/.test(name) ? [{ name: name.toLowerCase(), text }] : []
  })
}

export function writeFields(fields: readonly Field[]): string {
  return fields.map(({ text }) => `${text}\r\n`).join('')
}

/** What stands behind the name, unfolded; of a field that is there twice, the first counts. */
export function headerValue(fields: readonly Field[], name: string): string | undefined {
  const field = fields.find(one => one.name === name)
  return field && unfolded(field)
}

export function unfolded({ text }: Field): string {
  return text
    .slice(text.indexOf(':') + 1)
    .replace(/\r\n(?=[ \t])/g, '')
    .trim()
}

/** A field made by the functions of header-lines.ts. */
export function fieldOf(line: string): Field {
  return { name: line.slice(0, line.indexOf(':')).toLowerCase(), text: line.replace(/\r\n$/, '') }
}

/** Longer values are no media types. */
const maxValue = 4_000

/** A parameter of a value, in either spelling; undefined if it has none. */
export function parameterOf(value: string, name: string): string | undefined {
  const parameter = /;[ \t]*([\w-]+)=(?:"([^"]+)"|([^\s;]+))/g
  for (const [, key = '', quoted, token] of value.slice(0, maxValue).matchAll(parameter))
    if (key.toLowerCase() === name) return quoted ?? token
  return undefined
}
