// A mail of blocks as one HTML document: tables, styles inline, at most 600 pixels wide. Mail clients without style sheets show it
// completely; where media queries are supported, columns are stacked on phones, and a dark screen gets a dark mail.
import { blocksHtml, quietInk, table } from './blocks'
import type { Block, MailDocument } from './document'
import { escapeText } from './escape'
import { mailHead } from './head'

export const mailWidth = 600
const padding = 32

/**
 * The HTML that is saved as the body. `language` is that of its text, by which screen readers choose a voice and mail clients hyphenate.
 */
export function renderMail({ theme, preheader, doc }: MailDocument, language = 'en'): string {
  const rows = blocksHtml(doc.content, { theme, width: mailWidth - 2 * padding })
  const { background, sheet } = theme
  // The marks are for layouts, which insert what is between them and drop the sheet around it.
  const inner = `<tr><td class="sheet pad" bgcolor="${sheet}" style="background-color:${sheet};padding:${padding}px ${padding}px 16px ${padding}px;">
${isLayout(doc) ? table(`\n${rows}`) : `<!-- content -->\n${table(`\n${rows}`)}\n<!-- /content -->`}
</td></tr>`
  return `${mailHead(language, isLayout(doc) ? `${slotStyles}\n${styles}` : styles)}
<body class="ground" style="margin:0;padding:0;background-color:${background};">
${preheaderHtml(preheader)}${table(
  `<tr><td align="center" style="padding:24px 12px 8px 12px;">
${table(inner, `width="${mailWidth}" style="width:100%;max-width:${mailWidth}px;"`)}
</td></tr>`,
  `width="100%" class="ground" bgcolor="${background}" style="width:100%;background-color:${background};"`,
)}
</body>
</html>
`
}

/** It has a place for the content, and so marks none of its own as that. */
export const isLayout = ({ content = [] }: Block): boolean => content.some(({ type }) => type === 'slot')

/** For content that comes without styles of its own. */
const slotStyles = `.slot p { margin: 0 0 16px 0; }
.slot img { max-width: 100%; height: auto; }`

const styles = `@media (max-width: 520px) {
.column { display: block !important; width: 100% !important; padding: 0 !important; }
.pad { padding: 24px 20px 8px 20px !important; }
}
@media (prefers-color-scheme: dark) {
.ground { background-color: #151413 !important; }
.sheet { background-color: #201e1c !important; }
.ink { color: #ece8e4 !important; }
.link { color: #9dc1ea !important; }
.quiet, .quiet a { color: #a59d95 !important; }
.line { border-color: #45413c !important; }
}`

/** Hidden in the mail, and followed by blanks so that none of the body is shown after it. */
function preheaderHtml(words: string): string {
  if (!words.trim()) return ''
  const style = `display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;color:${quietInk};`
  const blanks = '&#847;&zwnj;&nbsp;'.repeat(40)
  return `<!-- preheader --><div style="${style}">${escapeText(words)}${blanks}</div><!-- /preheader -->\n`
}

// How wide a layout shows the mail in it: so wide is the paper.
const widths = /(?:\bmax-width:\s*|\bwidth=")(\d{3})(?:px|")/gi

/** The widest limit in pixels before its content; as wide as without a layout if it has none. */
export function layoutWidth(source: string): number {
  const outside = source.split(/<\/style>/i).map(part => part.split(/<style/i)[0])
  const before = outside.join('').split(/\{\{\s*content\s*\}\}/)[0]!
  const limits = [...before.matchAll(widths)].map(([, width]) => Number(width))
  const sensible = limits.filter(width => width >= 320 && width <= 900)
  return sensible.length > 0 ? Math.max(...sensible) : mailWidth
}
