// What a project says about a form, as it is kept, or what is wrong with it. Pure.
import type { FieldError } from '../../../lib/errors'
import { isReservedKey } from '../../audience/contacts'
import type { GivenField, GivenForm } from './model'
import type { FormField, FormLook } from './schema'

export const plainLook: FormLook = { accent: null, heading: null, text: null, button: null, consent: null }

export function lookAfter(before: FormLook, given: GivenForm['look'] = {}): FormLook {
  return { ...before, ...given }
}

/** Only what means something for its type is kept. */
export function toFields(given: readonly GivenField[]): FormField[] {
  return given.map(({ key, label, type, required = false, maxLength, min, max, options }) => ({
    ...{ key, label, type, required },
    ...(type === 'text' && maxLength !== undefined ? { maxLength } : {}),
    ...(type === 'number' && min !== undefined ? { min } : {}),
    ...(type === 'number' && max !== undefined ? { max } : {}),
    ...(type === 'choice' ? { options: options ?? [] } : {}),
  }))
}

export function formFaults({ fields = [], redirectUrl, look }: GivenForm): FieldError[] {
  const keys = fields.map(({ key }) => key)
  return [
    ...fields.flatMap((field, at) => fieldFaults(field, `fields.${at}`, keys.indexOf(field.key) < at)),
    ...(redirectUrl && !isWebAddress(redirectUrl)
      ? [fault('redirectUrl', 'Must be an address that begins with http:// or https://')]
      : []),
    ...Object.entries(look ?? {}).flatMap(([name, words]) =>
      typeof words === 'string' ? textFaults(words, `look.${name}`) : [],
    ),
  ]
}

function fieldFaults(
  { key, label, type, min, max, options = [] }: GivenField,
  at: string,
  isRepeated: boolean,
): FieldError[] {
  const faults = [
    ...textFaults(label, `${at}.label`),
    ...options.flatMap(each => textFaults(each, `${at}.options`)),
  ]
  if (isRepeated) faults.push(fault(`${at}.key`, 'Another field has this key'))
  if (isReservedKey(key) || key === '__proto__')
    faults.push(fault(`${at}.key`, 'This key is not for data of a contact'))
  if (type === 'choice' && options.length === 0) faults.push(fault(`${at}.options`, 'A choice needs options'))
  if (new Set(options).size < options.length) faults.push(fault(`${at}.options`, 'Each option once'))
  if (min !== undefined && max !== undefined && min > max)
    faults.push(fault(`${at}.max`, 'Must not be less than min'))
  return faults
}

/** Line breaks are fine; the database takes neither NUL nor half a character. */
function textFaults(words: string, field: string): FieldError[] {
  const isFine = words.trim() !== '' && words.isWellFormed() && !words.includes('\0')
  return isFine ? [] : [fault(field, 'Must be a text of ordinary characters')]
}

function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { protocol, username } = new URL(address)
  return (protocol === 'http:' || protocol === 'https:') && username === ''
}

function fault(field: string, message: string): FieldError {
  return { field, message, code: 'invalid' }
}
