// Structural rules that HTML has to keep so that all mail programs show it alike, with the facts of caniemail.com: layout by tables, styles
// inline and of those properties only that Outlook, Gmail, Apple Mail and Yahoo all know, nothing wider than 600 pixels, a text for each picture.

interface Tag {
  name: string
  attributes: Record<string, string>
  isClosing: boolean
}

/** Tags that all of them show. */
const tagNames =
  'html head meta title style body div table tr td a img p h1 h2 h3 ul ol li br strong em span'.split(' ')
const empty = new Set(['meta', 'img', 'br'])

/** Properties that work in an inline style everywhere, or that are passed over where they are not known without anything missing. */
const properties = new Set(
  `margin padding width max-width max-height height display color background-color text-align vertical-align font-family font-size
  font-weight line-height text-decoration border border-top border-left border-radius outline opacity overflow mso-padding-alt`.split(
    /\s+/,
  ),
)
const displays = new Set(['block', 'inline-block', 'none'])

export function tagsOf(html: string): Tag[] {
  const visible = html.replace(/<style>[\s\S]*?<\/style>/g, '<style></style>')
  return [...visible.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/gi)].map(([, slash, name, rest]) => ({
    name: name!.toLowerCase(),
    isClosing: slash === '/',
    attributes: Object.fromEntries(
      [...rest!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!.toLowerCase(), value!]),
    ),
  }))
}

export function bodyStyles(html: string): string {
  return /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
}

/** What a mail does wrong, a sentence each. */
export function violations(html: string): string[] {
  const tags = tagsOf(html)
  return [...tags.filter(tag => !tag.isClosing).flatMap(faultsOf), ...unbalanced(tags)]
}

function faultsOf({ name, attributes }: Tag): string[] {
  const faults: string[] = []
  const { role, border, cellpadding, cellspacing, style = '', width, alt, href, src } = attributes
  if (!tagNames.includes(name)) faults.push(`<${name}> is not known everywhere`)
  if (name === 'table' && [role, border, cellpadding, cellspacing].join() !== 'presentation,0,0,0')
    faults.push('a table needs its role, border, cellpadding and cellspacing')
  if (name === 'div' && !style.startsWith('display:none')) faults.push('a <div> does not hold a layout')
  if (name === 'img' && (alt === undefined || !width)) faults.push('an image needs alt and width')
  if (width && width !== '100%' && !(Number(width) <= 600)) faults.push(`${name} is ${width} wide`)
  for (const address of [href, src])
    if (address && !/^(?:https?:\/\/|mailto:|tel:|#|\{\{)/.test(address)) faults.push(`leads to ${address}`)
  return [...faults, ...styleFaults(name, style)]
}

function styleFaults(name: string, style: string): string[] {
  return style
    .split(';')
    .filter(Boolean)
    .flatMap(rule => {
      const [property = '', value = ''] = rule.split(/:(.*)/s).map(part => part.trim())
      if (!properties.has(property)) return [`${property} on <${name}> is not known everywhere`]
      if (property === 'display' && !displays.has(value)) return [`display:${value} on <${name}>`]
      const isTooWide = /width$/.test(property) && value.endsWith('px') && Number.parseInt(value, 10) > 600
      return isTooWide || value.includes('url(') ? [`${property}:${value} on <${name}>`] : []
    })
}

function unbalanced(tags: readonly Tag[]): string[] {
  const open: string[] = []
  for (const { name, isClosing } of tags) {
    if (empty.has(name)) continue
    if (!isClosing) open.push(name)
    else if (open.pop() !== name) return [`</${name}> closes something else`]
  }
  return open.length > 0 ? [`<${open.join('> <')}> is not closed`] : []
}
