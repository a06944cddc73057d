// A body with the project's brand written into it: done once, when a body is put into its layout, so that what is sent stays as it was, and
// nothing is looked up for a recipient. Pure.
import { escapeHtml } from '../../../lib/escape'
import { readPlaceholder } from '../../../liquid/placeholder'
import { scanTemplate } from '../../../liquid/scan'
import type { BrandVariables } from '../../accounts/projects'

/** A body that names none of it needs no brand. */
export const namesBrand = (source: string): boolean => source.includes('brand.')

/** Data of the same name, which a project may have had before, comes first: the brand stands behind it, as a fallback. */
export function writeBrand(source: string, brand: BrandVariables): string {
  if (!namesBrand(source)) return source
  const body = unrolled(source, brand)
  return scanTemplate(body)
    .map(({ kind, start, end }) => {
      const text = body.slice(start, end)
      if (kind === 'output') return outputOf(text, brand)
      return kind === 'tag'
        ? text.replace(names, (whole, name: string) => literalOf(brandValue(brand, name)) ?? whole)
        : text
    })
    .join('')
}

const names = /\bbrand\.(\w+)/g

/** The value that a template names; undefined for any other name. */
function brandValue(brand: BrandVariables, name: string): string | number | undefined {
  if (!Object.hasOwn(brand, name) || name === 'links') return undefined
  return brand[name as Exclude<keyof BrandVariables, 'links'>]
}

function outputOf(text: string, brand: BrandVariables): string {
  const { subject, filters, trimLeft, trimRight } = readPlaceholder(text.slice(2, -2))
  const value = subject.startsWith('brand.') ? brandValue(brand, subject.slice('brand.'.length)) : undefined
  if (value === undefined || value === '') return text
  const remaining = filters === undefined ? '' : ` |${filters}`
  return `{{${trimLeft ? '-' : ''} ${subject} ?? ${quoted(value)}${remaining} ${trimRight ? '-' : ''}}}`
}

/** For a condition: what is empty is not there. */
const literalOf = (value: string | number | undefined): string | undefined =>
  value === '' ? 'nil' : value === undefined ? undefined : quoted(value)

/** No quote of either form, nor what would end the placeholder. */
const quoted = (value: string | number): string =>
  `"${withoutBraces(String(value)).replaceAll('\\', '').replaceAll('"', '”')}"`

const withoutBraces = (text: string): string => text.replaceAll(/[{}]/g, '')

/** As the block editor writes it: lists are no literals of the language. */
const linksLoop =
  /\{% for link in brand\.links %\}([^%]*)\{% unless forloop\.last %\}([^%]*)\{% endunless %\}\{% endfor %\}/g

function unrolled(source: string, { links }: BrandVariables): string {
  return source.replaceAll(linksLoop, (_, link: string, between: string) =>
    links
      .map(({ name, url }) =>
        link
          .replaceAll('{{link.url}}', () => escapeHtml(withoutBraces(url)))
          .replaceAll('{{link.name}}', () => escapeHtml(withoutBraces(name))),
      )
      .join(between),
  )
}
