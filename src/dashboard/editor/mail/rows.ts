// A table with a row for each thing in a list of the data, such as the items of an order: a Liquid loop around the row.
import { lineColour } from './box'
import type { MailTheme } from './document'
import { textHtml } from './inline'

interface RowColumn {
  title: string
  /** A member of each item, such as `name`. */
  field: string
  align: 'left' | 'right'
}

/** A path that Liquid reads: anything else is left out of it. */
function pathOf(value: unknown): string {
  const path = String(value ?? '').replaceAll(/[^\p{L}\p{N}_.-]/gu, '')
  let [from, to] = [0, path.length]
  while (from < to && '.-'.includes(path[from]!)) from++
  while (to > from && '.-'.includes(path[to - 1]!)) to--
  return path.slice(from, to)
}

export function rowColumns(value: unknown): RowColumn[] {
  return (Array.isArray(value) ? value : [])
    .filter(each => typeof each === 'object' && each !== null)
    .map(({ title, field, align }) => ({
      title: String(title ?? ''),
      field: String(field ?? ''),
      align: align === 'right' ? 'right' : 'left',
    }))
}

export function rowsHtml(attrs: Record<string, unknown> = {}, { ink }: MailTheme, font: string): string {
  const columns = rowColumns(attrs['columns']).filter(({ field }) => pathOf(field))
  const list = pathOf(attrs['list'])
  if (!list || columns.length === 0) return ''
  const style = `padding:8px 12px 8px 0;${font}font-size:14px;line-height:20px;color:${ink};border-top:1px solid ${lineColour};`
  const cell = (align: string, inner: string, more = ''): string =>
    `<td class="ink line" align="${align}" valign="top" style="${style}text-align:${align};${more}">${inner}</td>`
  const head = columns.map(({ title, align }) => cell(align, textHtml(title) || '&nbsp;', 'font-weight:700;'))
  const body = columns.map(({ field, align }) => cell(align, `{{item.${pathOf(field)}}}`))
  const hasHead = columns.some(({ title }) => title.trim())
  return `<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%" style="width:100%;">${hasHead ? `<tr>${head.join('')}</tr>` : ''}
{% for item in ${list} %}<tr>${body.join('')}</tr>
{% endfor %}</table>`
}
