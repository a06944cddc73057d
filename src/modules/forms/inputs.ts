// The inputs of a form as HTML, for its own page and for the pages of others. Pure.
import { escapeHtml } from '../../lib/escape'
import type { FormField } from './schema'
import { defaultTextLength, inputName } from './values'

export interface FormInput {
  id: string
  label: string
  /** A box stands before its label. */
  isBox: boolean
  required: boolean
  /** With `id="…"` where one is given. */
  html: (more?: string) => string
}

export function emailInput(label: string, value = ''): FormInput {
  const html = (more = ''): string =>
    `<input type="email" name="email" autocomplete="email" required maxlength="254"${valued(value)}${more}>`
  return { id: 'email', label, isBox: false, required: true, html }
}

export function fieldInput(field: FormField, value = ''): FormInput {
  const { key, label, type, required } = field
  const name = ` name="${inputName(key)}"${required ? ' required' : ''}`
  const html = (more = ''): string => element(field, `${name}${more}`, value)
  return { id: `field-${key}`, label, isBox: type === 'checkbox', required, html }
}

function element(
  { type, maxLength, min, max, options = [] }: FormField,
  names: string,
  value: string,
): string {
  switch (type) {
    case 'text':
      return `<input type="text"${names} maxlength="${maxLength ?? defaultTextLength}"${valued(value)}>`
    case 'number':
      return `<input type="number" step="any"${names}${bound('min', min)}${bound('max', max)}${valued(value)}>`
    case 'date':
      return `<input type="date"${names}${valued(value)}>`
    case 'checkbox':
      return `<input type="checkbox"${names} value="on"${value === '' ? '' : ' checked'}>`
    case 'choice':
      return `<select${names}>${['', ...options].map(each => option(each, value)).join('')}</select>`
  }
}

function option(text: string, chosen: string): string {
  const words = escapeHtml(text)
  return `<option value="${words}"${text === chosen && text !== '' ? ' selected' : ''}>${words}</option>`
}

const valued = (value: string): string => (value === '' ? '' : ` value="${escapeHtml(value)}"`)
const bound = (name: string, value: number | undefined): string =>
  value === undefined ? '' : ` ${name}="${value}"`
