// Blocks as rows of a table with their styles inline: the one form that every mail client shows alike, Outlook included.
import {
  below,
  frameOf,
  frameSide,
  frameStyle,
  lineColour,
  pixels,
  px,
  spaceOf,
  type TextSize,
  textSizeOf,
} from './box'
import { brandLinks, brandLogo } from './brand'
import { inkOn, readableOn } from './contrast'
import type { Block, MailTheme } from './document'
import { colourOf } from './document'
import { escapeAttribute, safeAddress } from './escape'
import { fontStack } from './fonts'
import { inlineHtml, textHtml } from './inline'
import { rowsHtml } from './rows'

interface Surroundings {
  theme: MailTheme
  /** The width in pixels that a block may fill. */
  width: number
  /** It lies on a background that is the same on a dark screen: so are its words. */
  isFixed?: boolean
}

export const quietInk = '#6b6560'

const aligns = ['left', 'center', 'right'] as const

function alignOf({ attrs }: Block): (typeof aligns)[number] {
  return aligns.find(each => each === attrs?.['align']) ?? 'left'
}

function numberOf(value: unknown, otherwise: number, least: number, most: number): number {
  return Number(value) > 0 ? (pixels(value, most, least) ?? otherwise) : otherwise
}

function fontOf({ font }: MailTheme): string {
  return `font-family:${fontStack(font)};`
}

export function table(inner: string, more = 'width="100%" style="width:100%;"'): string {
  return `<table role="presentation" border="0" cellpadding="0" cellspacing="0" ${more}>${inner}</table>`
}

interface RowStyle {
  /** The space below where none is set. */
  after?: number
  /** More attributes of the cell. */
  more?: string
}

/** One block, one row. The space around is part of it, so that no mail client collapses it. */
function row(inner: string, { attrs }: Block, { after = below, more = '' }: RowStyle = {}): string {
  const [above, under] = spaceOf(attrs, after)
  const frame = frameOf(attrs)
  if (!frame) return `<tr><td${more} style="padding:${px(above)} 0 ${px(under)} 0;">${inner}</td></tr>\n`
  const ground = frame.background ? ` bgcolor="${frame.background}"` : ''
  const style = `padding:${px(above)} ${frameSide}px ${px(under)} ${frameSide}px;${frameStyle(frame)}`
  const framed = table(`<tr><td${more}${ground} style="${style}">${inner}</td></tr>`)
  return `<tr><td style="padding:0 0 ${px(below)} 0;">${framed}</td></tr>\n`
}

/** What surrounds the inside of a block: less room in a frame, and words that can be read on its background. */
function within({ attrs }: Block, around: Surroundings): Surroundings {
  const frame = frameOf(attrs)
  const ink = colourOf(attrs?.['color'], around.theme.ink)
  if (!frame) return { ...around, theme: { ...around.theme, ink } }
  const width = around.width - 2 * (frameSide + frame.border)
  const { background } = frame
  if (!background) return { ...around, width, theme: { ...around.theme, ink } }
  const { accent } = around.theme
  const theme = { ...around.theme, ink: readableOn(background, ink), accent: readableOn(background, accent) }
  return { theme, width, isFixed: true }
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

function textStyle(theme: MailTheme, { size, line }: TextSize): string {
  return `margin:0;${fontOf(theme)}font-size:${size}px;line-height:${line}px;color:${theme.ink};`
}

const plainSize: TextSize = { size: 16, line: 25 }
const headings: Record<number, TextSize> = {
  1: { size: 28, line: 36 },
  2: { size: 22, line: 30 },
  3: { size: 18, line: 26 },
}

/** For the rules of dark screens. */
const inked = ({ isFixed }: Surroundings): string => (isFixed ? '' : ' class="ink"')

function textBlock(tag: string, block: Block, size: TextSize, around: Surroundings, more = ''): string {
  const inside = within(block, around)
  const style = `${textStyle(inside.theme, textSizeOf(block.attrs, size))}${more}`
  const inner = inlineHtml(block.content, inside.theme.accent, inside.isFixed) || '&nbsp;'
  return row(`<${tag}${inked(inside)} style="${style}text-align:${alignOf(block)};">${inner}</${tag}>`, block)
}

function listHtml(block: Block, around: Surroundings, size: TextSize): string {
  const tag = block.type === 'orderedList' ? 'ol' : 'ul'
  const style = textStyle(around.theme, size)
  const items = (block.content ?? []).map(item => {
    const inner = (item.content ?? []).map(each =>
      each.type.endsWith('List')
        ? listHtml(each, around, size)
        : inlineHtml(each.content, around.theme.accent, around.isFixed),
    )
    return `<li${inked(around)} style="${style}margin:0 0 6px 0;">${inner.join('<br>')}</li>`
  })
  return `<${tag} style="margin:0;padding:0 0 0 26px;">${items.join('')}</${tag}>`
}

const list: Maker = (block, around) =>
  row(listHtml(block, within(block, around), textSizeOf(block.attrs, plainSize)), block)

function imageHtml({ attrs = {} }: Block, { width }: Surroundings): string {
  const source = safeAddress(attrs['src'])
  if (!source) return ''
  const room = numberOf(attrs['width'], width, 16, width)
  const radius = pixels(attrs['radius'], 48) ?? 0
  const round = radius > 0 ? `border-radius:${radius}px;` : ''
  const style = `display:block;width:100%;max-width:${room}px;height:auto;border:0;outline:none;${round}`
  const alt = escapeAttribute(String(attrs['alt'] ?? ''))
  const image = `<img src="${escapeAttribute(source)}" width="${room}" alt="${alt}" style="${style}">`
  const link = safeAddress(attrs['href'])
  return link
    ? `<a href="${escapeAttribute(link)}" target="_blank" style="text-decoration:none;">${image}</a>`
    : image
}

/** Narrower than the room it has, it is in a table of its own: Outlook aligns nothing else. */
const image: Maker = (block, around) => {
  const inner = imageHtml(block, around)
  const width = numberOf(block.attrs?.['width'], around.width, 16, around.width)
  const align = alignOf(block)
  const more = ` align="${align}"`
  if (!inner || width >= around.width) return row(inner, block, { more })
  const held = table(
    `<tr><td>${inner}</td></tr>`,
    `align="${align}" width="${width}" style="width:100%;max-width:${width}px;"`,
  )
  return row(held, block, { more })
}

function buttonHtml(block: Block, { theme }: Surroundings): string {
  const { attrs = {} } = block
  const ground = colourOf(attrs['color'], theme.accent)
  const radius = pixels(attrs['radius'], 48) ?? 6
  const style = `display:inline-block;padding:12px 24px;${fontOf(theme)}font-size:16px;line-height:20px;font-weight:600;color:${inkOn(ground)};text-decoration:none;border-radius:${px(radius)};`
  const words = textHtml(attrs['text'])
  const href = escapeAttribute(safeAddress(attrs['href']))
  const cell = `<td bgcolor="${ground}" style="background-color:${ground};border-radius:${px(radius)};mso-padding-alt:12px 24px;"><a href="${href}" target="_blank" style="${style}">${words}</a></td>`
  return table(`<tr>${cell}</tr>`, `align="${alignOf(block)}"`)
}

const gutter = 24

/** Side by side, and one below the other on phones that support media queries. */
function columnsHtml({ attrs, content = [] }: Block, around: Surroundings): string {
  const room = around.width - gutter * (content.length - 1)
  const shares = columnShares(attrs?.['widths'], content.length)
  const total = shares.reduce((sum, share) => sum + share, 0)
  const cells = content.map((column, index) => {
    const after = index === content.length - 1 ? 0 : gutter
    const inner = Math.floor((room * shares[index]!) / total)
    const style = `width:${inner + after}px;vertical-align:top;padding:0 ${after}px 0 0;`
    return `<td class="column" width="${inner + after}" valign="top" style="${style}">${table(blocksHtml(column.content, { ...around, width: inner }))}</td>`
  })
  return table(`<tr>${cells.join('')}</tr>`)
}

/** The parts of the width that the columns have: equal ones where nothing is said, or for another number of columns. */
export function columnShares(widths: unknown, count: number): number[] {
  const shares = Array.isArray(widths) ? widths.map(Number) : []
  const isSet = shares.length === count && shares.every(share => share >= 10 && share <= 90)
  return isSet ? shares : Array.from({ length: count }, () => 1)
}

function footerHtml(block: Block, { theme }: Surroundings): string {
  const style = `margin:0;${fontOf(theme)}font-size:12px;line-height:18px;color:${quietInk};text-align:center;`
  return `<p class="quiet" style="${style}">${inlineHtml(block.content, quietInk)}</p>`
}

interface SocialLink {
  name: string
  href: string
}

export function socialLinks(value: unknown): SocialLink[] {
  return (Array.isArray(value) ? value : []).filter(
    (each): each is SocialLink => typeof each?.name === 'string' && typeof each?.href === 'string',
  )
}

/** In words: they need no images, which many readers do not load. Without links of its own, those of the brand. */
function socialHtml(block: Block, around: Surroundings): string {
  const { theme, isFixed } = around
  const own = socialLinks(block.attrs?.['links'])
  const between = ' &nbsp;&middot;&nbsp; '
  const linkHtml = ({ name, href }: SocialLink): string => {
    const link = { type: 'link', attrs: { href } }
    return inlineHtml([{ type: 'text', text: name, marks: [link] }], theme.accent, isFixed)
  }
  const links =
    own.length === 0
      ? brandLinks(linkHtml({ name: '{{link.name}}', href: '{{link.url}}' }), between)
      : own
          .filter(({ name, href }) => name.trim() && safeAddress(href))
          .map(linkHtml)
          .join(between)
  const style = `${textStyle(theme, { size: 14, line: 22 })}text-align:${alignOf(block)};`
  return `<p${inked(around)} style="${style}">${links}</p>`
}

const makers: Record<string, Maker> = {
  paragraph: (block, around) => textBlock('p', block, plainSize, around),
  heading: (block, around) => {
    const level = numberOf(block.attrs?.['level'], 1, 1, 3)
    const { font, headingFont = font } = around.theme
    const inHeadings = { ...around, theme: { ...around.theme, font: headingFont } }
    return textBlock(`h${level}`, block, headings[level]!, inHeadings, 'font-weight:700;')
  },
  bulletList: list,
  orderedList: list,
  blockquote(block, around) {
    const inside = within(block, { ...around, width: around.width - 19 })
    const [above, under] = spaceOf(block.attrs)
    const style = `padding:0 0 0 16px;border-left:3px solid ${lineColour};`
    const quoted = `<tr><td class="line" style="${style}">${table(blocksHtml(block.content, inside))}</td></tr>\n`
    return `${above > 0 ? spacer(above) : ''}${quoted}${under > 0 ? spacer(under) : ''}`
  },
  image,
  video: image,
  logo: (block, around) =>
    row(brandLogo(block.attrs, around.theme, fontOf(around.theme)), block, {
      more: ` align="${alignOf(block)}"`,
    }),
  button: (block, around) => row(buttonHtml(block, around), block, { more: ` align="${alignOf(block)}"` }),
  columns: (block, around) => row(columnsHtml(block, within(block, around)), block, { after: 0 }),
  section: (block, around) =>
    row(table(blocksHtml(block.content, within(block, around))), block, { after: 0 }),
  divider({ attrs = {} }) {
    const width = pixels(attrs['border'], 8, 1) ?? 1
    const style = `border-top:${width}px solid ${colourOf(attrs['borderColor'], lineColour)};font-size:1px;line-height:1px;`
    const line = table(`<tr><td class="line" style="${style}">&nbsp;</td></tr>`)
    const { paddingTop, paddingBottom } = attrs
    return row(line, { type: 'divider', attrs: { paddingTop, paddingBottom } })
  },
  spacer: ({ attrs }) => spacer(numberOf(attrs?.['height'], 24, 4, 200)),
  social: (block, around) => row(socialHtml(block, around), block),
  rows: (block, around) => row(rowsHtml(block.attrs, around.theme, fontOf(around.theme)), block),
  footer: (block, around) => row(footerHtml(block, around), block, { more: ' align="center"' }),
  html: block => row(String(block.attrs?.['html'] ?? ''), { type: 'html' }),
  // Goes around rows and is not one itself.
  // Of a layout. What is written elsewhere comes with its own styles, or takes these.
  slot: (block, { theme }) =>
    row('\n{{ content }}\n', block, { after: 0, more: ` class="ink slot" align="left"` }).replace(
      'style="',
      () => `style="${fontOf(theme)}font-size:16px;line-height:25px;color:${theme.ink};`,
    ),
  liquid: ({ attrs }) => `${String(attrs?.['code'] ?? '')}\n`,
}

function spacer(height: number): string {
  return `<tr><td height="${height}" style="height:${height}px;font-size:1px;line-height:${height}px;">&nbsp;</td></tr>\n`
}
