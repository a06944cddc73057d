// Blocks as rows of a table with their styles inline: the one form that every mail client shows alike, Outlook included.

import { inkOn, lineColour } from './box'
import type { Block, MailTheme } from './document'
import { colourOf } from './document'
import { escapeAttribute, safeAddress } from './escape'
import { inlineHtml } from './inline'

interface Surroundings {
  theme: MailTheme
  /** The width in pixels that a block may fill. */
  width: number
}

const stacks = {
  sans: "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  serif: "Georgia,'Times New Roman',Times,serif",
}
export const quietInk = '#6b6560'

const aligns = ['left', 'center', 'right'] as const

function alignOf({ attrs }: Block): (typeof aligns)[number] {
  return aligns.find(each => each === attrs?.['align']) ?? 'left'
}

function numberOf(value: unknown, otherwise: number, least: number, most: number): number {
  const number = Number(value)
  return Number.isFinite(number) && number > 0
    ? Math.min(Math.max(Math.round(number), least), most)
    : otherwise
}

function fontOf({ font }: MailTheme): string {
  return `font-family:${stacks[font]};`
}

export function table(inner: string, more = 'width="100%" style="width:100%;"'): string {
  return `<table role="presentation" border="0" cellpadding="0" cellspacing="0" ${more}>${inner}</table>`
}

/** One block, one row. The space below is part of it, so that no mail client collapses it. */
function row(inner: string, style = '', more = ''): string {
  return `<tr><td${more} style="padding:0 0 16px 0;${style}">${inner}</td></tr>\n`
}

/** All blocks, each in a row of one table. */
export function blocksHtml(content: readonly Block[] | undefined, around: Surroundings): string {
  return (content ?? []).map(block => (makers[block.type] ?? unknownBlock)(block, around)).join('')
}

type Maker = (block: Block, around: Surroundings) => string

/** Blocks that a later version of the editor put there keep their text. */
const unknownBlock: Maker = (block, around) =>
  block.content?.some(each => each.type === 'text')
    ? makers['paragraph']!(block, around)
    : blocksHtml(block.content, around)

function textStyle(theme: MailTheme, size: number, lines: number): string {
  return `margin:0;${fontOf(theme)}font-size:${size}px;line-height:${lines}px;color:${theme.ink};`
}

const headings: Record<number, [size: number, lines: number]> = { 1: [28, 36], 2: [22, 30], 3: [18, 26] }

function textBlock(tag: string, block: Block, around: Surroundings, style: string): string {
  const align = alignOf(block)
  const inner = inlineHtml(block.content, around.theme.accent) || '&nbsp;'
  return `<${tag} class="ink" style="${style}text-align:${align};">${inner}</${tag}>`
}

function listHtml(block: Block, around: Surroundings): string {
  const tag = block.type === 'orderedList' ? 'ol' : 'ul'
  const style = textStyle(around.theme, 16, 25)
  const items = (block.content ?? []).map(item => {
    const inner = (item.content ?? []).map(each =>
      each.type.endsWith('List') ? listHtml(each, around) : inlineHtml(each.content, around.theme.accent),
    )
    return `<li class="ink" style="${style}margin:0 0 6px 0;">${inner.join('<br>')}</li>`
  })
  return `<${tag} style="margin:0;padding:0 0 0 26px;">${items.join('')}</${tag}>`
}

function imageHtml({ attrs = {} }: Block, { width }: Surroundings): string {
  const source = safeAddress(attrs['src'])
  if (!source) return ''
  const pixels = numberOf(attrs['width'], width, 16, width)
  const style = `display:block;width:100%;max-width:${pixels}px;height:auto;border:0;outline:none;`
  const alt = escapeAttribute(String(attrs['alt'] ?? ''))
  const image = `<img src="${escapeAttribute(source)}" width="${pixels}" alt="${alt}" style="${style}">`
  const link = safeAddress(attrs['href'])
  return link
    ? `<a href="${escapeAttribute(link)}" target="_blank" style="text-decoration:none;">${image}</a>`
    : image
}

function buttonHtml(block: Block, { theme }: Surroundings): string {
  const { attrs = {} } = block
  const ground = colourOf(attrs['color'], theme.accent)
  const style = `display:inline-block;padding:12px 24px;${fontOf(theme)}font-size:16px;line-height:20px;font-weight:600;color:${inkOn(ground)};text-decoration:none;border-radius:6px;`
  const words = inlineHtml([{ type: 'text', text: String(attrs['text'] ?? '') }], theme.accent)
  const href = escapeAttribute(safeAddress(attrs['href']))
  const cell = `<td bgcolor="${ground}" style="background-color:${ground};border-radius:6px;mso-padding-alt:12px 24px;"><a href="${href}" target="_blank" style="${style}">${words}</a></td>`
  return table(`<tr>${cell}</tr>`, `align="${alignOf(block)}"`)
}

const gutter = 24

/** Side by side, and one below the other on phones that support media queries. */
function columnsHtml({ content = [] }: Block, { theme, width }: Surroundings): string {
  const count = Math.max(content.length, 1)
  const inner = Math.floor((width - gutter * (count - 1)) / count)
  const cells = content.map((column, index) => {
    const room = index === count - 1 ? 0 : gutter
    const pixels = inner + room
    const style = `width:${pixels}px;vertical-align:top;padding:0 ${room}px 0 0;`
    return `<td class="column" width="${pixels}" valign="top" style="${style}">${table(blocksHtml(column.content, { theme, width: inner }))}</td>`
  })
  return table(`<tr>${cells.join('')}</tr>`)
}

function footerHtml(block: Block, around: Surroundings): string {
  const { attrs = {} } = block
  const style = `margin:0;${fontOf(around.theme)}font-size:12px;line-height:18px;color:${quietInk};text-align:center;`
  const quiet = { ...around.theme, accent: quietInk }
  const lines = inlineHtml(block.content, quiet.accent)
  const out = String(attrs['unsubscribe'] ?? '')
  const link = out
    ? `<a href="{{unsubscribeUrl}}" target="_blank" style="color:${quietInk};text-decoration:underline;">${inlineHtml([{ type: 'text', text: out }], quietInk)}</a>`
    : ''
  return `<p class="quiet" style="${style}">${[lines, link].filter(Boolean).join('<br>')}</p>`
}

function heading(block: Block, around: Surroundings): string {
  const level = numberOf(block.attrs?.['level'], 1, 1, 3)
  const [size, lines] = headings[level]!
  return row(textBlock(`h${level}`, block, around, `${textStyle(around.theme, size, lines)}font-weight:700;`))
}

const makers: Record<string, Maker> = {
  paragraph: (block, around) => row(textBlock('p', block, around, textStyle(around.theme, 16, 25))),
  heading,
  bulletList: (block, around) => row(listHtml(block, around)),
  orderedList: (block, around) => row(listHtml(block, around)),
  blockquote: (block, around) =>
    row(
      table(blocksHtml(block.content, { ...around, width: around.width - 19 })),
      `border-left:3px solid ${lineColour};padding:0 0 0 16px;`,
      ' class="line"',
    ) + spacer(16),
  image: (block, around) => row(imageHtml(block, around), '', ` align="${alignOf(block)}"`),
  button: (block, around) => row(buttonHtml(block, around), '', ` align="${alignOf(block)}"`),
  columns: (block, around) => row(columnsHtml(block, around), 'padding:0;'),
  divider: () =>
    row(
      table(
        `<tr><td class="line" style="border-top:1px solid ${lineColour};font-size:1px;line-height:1px;">&nbsp;</td></tr>`,
      ),
    ),
  spacer: ({ attrs }) => spacer(numberOf(attrs?.['height'], 24, 4, 200)),
  footer: (block, around) => row(footerHtml(block, around), '', ' align="center"'),
  html: ({ attrs }) => row(String(attrs?.['html'] ?? '')),
  // Goes around rows and is not one itself.
  liquid: ({ attrs }) => `${String(attrs?.['code'] ?? '')}\n`,
}

function spacer(height: number): string {
  return `<tr><td height="${height}" style="height:${height}px;font-size:1px;line-height:${height}px;">&nbsp;</td></tr>\n`
}
