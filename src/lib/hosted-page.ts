// The shell of pages that work without a dashboard: plain HTML with forms, no script, nothing loaded from anywhere. Pure.
import { createHash } from 'node:crypto'

const style = `
body { margin: 0; padding: 2rem 1rem; background: #f6f7f9; color: #1c2024; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 2rem; background: #fff; border: 1px solid #d5d9de; border-radius: 8px; overflow-wrap: anywhere; }
h1 { margin-top: 0; font-size: 1.4rem; }
form { margin: 1.25rem 0; }
button, select, input { font: inherit; padding: .5rem 1rem; border: 1px solid #5f6b78; border-radius: 6px; background: #fff; color: inherit; }
input { box-sizing: border-box; width: 100%; margin-bottom: 1rem; }
button.main { background: #0b57d0; border-color: #0b57d0; color: #fff; }
:focus-visible { outline: 3px solid #f2a600; outline-offset: 2px; }
label { display: block; margin-bottom: .4rem; }
.note { padding: .75rem 1rem; border-left: 4px solid #0b57d0; background: #eef3fb; }
`

const digest = createHash('sha256').update(style).digest('base64')

/**
 * Headers of every page. The token in the address must not reach another site, so no address is ever told to one; within this
 * site it is, because browsers that tell none send forms with the origin "null".
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
}

/** The whole document; `title` and `body` are HTML already. */
export function pageDocument(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">' +
    `<title>${title}</title><style>${style}</style></head><body><main>${body}</main></body></html>`
  )
}
