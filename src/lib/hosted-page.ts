// The look and the shell of every page that people see without a dashboard: plain HTML with forms, no script, nothing loaded from
// anywhere. Pure.
import { createHash } from 'node:crypto'
import { textOn } from './contrast'
import { escapeHtml } from './escape'

/** Colours by their role, light and dark, as the dashboard has them; each text on its ground has a contrast of 4.5 or more, each border of 3. */
export const palette = `
:root { color-scheme: light dark; --ground: #faf9f7; --sheet: #fff; --ink: #211d1a; --quiet: #6a625b; --line: #e8e4df; --edge: #887e75;
  --strong: #2a2522; --on-strong: #fff; --hover: #46403b; --link: #3b5f8a; --note: #e8eff7; --alert: #fceae8; --alarm: #b3322b; --focus: #3b5f8a; }
@media (prefers-color-scheme: dark) { :root { --ground: #131211; --sheet: #1a1918; --ink: #ece8e4; --quiet: #a59d95; --line: #2d2a28;
  --edge: #857c74; --strong: #efebe7; --on-strong: #1a1715; --hover: #fff; --link: #8fb4de; --note: #1e2a38; --alert: #3a1d1a; --alarm: #f08a80; --focus: #8fb4de; } }
`

/** Whatever can be touched is 44 pixels high or more. */
const style = `${palette}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; padding: clamp(.75rem, 6vh, 4rem) .75rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .5rem; font-size: 1.1rem; line-height: 1.3; }
p, dl { margin: 0 0 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; font-weight: 600; }
form { margin: 1rem 0; }
button, select, input { font: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .9rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--sheet); color: inherit; }
input, select { margin-bottom: 1rem; }
button { cursor: pointer; font-weight: 600; }
button:hover { border-color: var(--hover); color: var(--hover); }
button.main { background: var(--strong); border-color: var(--strong); color: var(--on-strong); }
button.main:hover { background: var(--hover); border-color: var(--hover); color: var(--on-strong); }
label { display: block; margin-bottom: .35rem; }
a { color: var(--link); }
main > p:has(> a:only-child) { margin: 0; }
main > p > a:only-child { display: inline-block; padding: .65rem 0; }
main > p:last-child > a:only-child { margin-bottom: -.65rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1.25rem; font-weight: 600; }
.brand img { max-width: 100%; height: auto; }
.brand svg { width: 1.75rem; height: 1.75rem; }
section { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
section form { margin-bottom: 0; }
section + p { margin-top: 1rem; }
main > :last-child { margin-bottom: 0; }
bdi { font-weight: 600; }
.note { padding: .75rem 1rem; border-inline-start: 4px solid var(--link); border-radius: 4px; background: var(--note); }
.note:focus { outline: none; }
.note[role=alert] { border-color: var(--alarm); background: var(--alert); }
.small { margin: 1.5rem 0 0; font-size: .875rem; color: var(--quiet); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (prefers-reduced-motion: no-preference) { button { transition: background-color .15s, border-color .15s, color .15s; } }
@media print { body { padding: 0; } main { border: 0; } button, select { display: none; } }
`

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * Headers of every page. The token in the address must not reach another site, so no site is ever sent a referrer; this
 * one is, because browsers that send none submit forms with the origin "null".
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(`'sha256-${digestOf(style)}'`),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
}

/** The same for a page with rules of its own besides. */
export function headersWith(ownStyle: string, brand?: PageBrand): Readonly<Record<string, string>> {
  const styles = `'sha256-${digestOf(style)}' 'sha256-${digestOf(ownStyle)}'`
  return { ...pageHeaders, 'content-security-policy': policyFor(styles, brand?.logo) }
}

/** What a page shows of the project that it is about. */
export interface PageBrand {
  name: string
  /** An image that the project uploaded. */
  logo: string | null
  /** In pixels. */
  logoWidth: number
  /** Of the main button, as `#rrggbb`. */
  accent: string | null
}

/** The main button in the project's color, with words that can be read on it. */
export function accentStyle(accent: string | null): string {
  if (accent === null) return ''
  const colors = `background: ${accent}; border-color: ${accent}; color: ${textOn(accent)};`
  return `button.main, button.main:hover { ${colors} }\nbutton.main:hover { filter: brightness(.93); }\n`
}

export function logoOf(brand: PageBrand | undefined): string {
  if (!brand?.logo) return ''
  const { logo, logoWidth, name } = brand
  return `<p class="brand"><img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" width="${logoWidth}"></p>`
}

/** Of images, the logo alone, from where it lies. */
function policyFor(styles: string, logo?: string | null): string {
  const images = logo && URL.canParse(logo) ? ` img-src ${new URL(logo).origin};` : ''
  return `default-src 'none'; style-src ${styles};${images} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

/** The whole document; `title` and `body` are HTML already. All our languages are written from left to right. */
export function pageDocument(title: string, body: string, language = 'en', ownStyle = ''): string {
  return (
    `<!doctype html><html lang="${language}" dir="ltr"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">' +
    `<title>${title}</title><style>${style}</style>${ownStyle && `<style>${ownStyle}</style>`}</head><body><main>${body}</main></body></html>`
  )
}

/** What has just happened, or what is wrong; read aloud when the page opens, because the focus is on it. */
export function notice(role: 'status' | 'alert', content: string): string {
  return `<p class="note" role="${role}" tabindex="-1" autofocus>${content}</p>`
}
