// The page that shows the OpenAPI document to people: plain HTML made from it, without a script and without anything loaded
// from elsewhere, so that it works in a closed network and under the strictest policy. Pure.
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/escape'
import { palette } from '../../../lib/hosted-page'
import type { Member } from './members'
import { type Described, type ReadOperation, referenceOf, type WireShape } from './reference'

export function renderApiPage(document: Described): string {
  const { title, version, description: about, baseUrl, sections } = referenceOf(document)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} API</title><style>${style}</style></head><body>`,
    `<header><h1>${escapeHtml(title)} API <small>${escapeHtml(version)}</small></h1>`,
    `<p>${words(about)}</p>`,
    `<p>Base address <code>${escapeHtml(baseUrl)}</code>, machine-readable: <a href="openapi.json">openapi.json</a>. To try it, and with your keys filled in, it is in the <a href="app/docs">dashboard</a>. Start with the <a href="guides">guides</a>.</p>`,
    `<nav>${sections.map(({ tag }) => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`).join(' ')}</nav></header><main>`,
    ...sections.map(
      ({ tag, description, operations }) =>
        `<section id="${anchor(tag)}"><h2>${escapeHtml(tag)}</h2>${description ? `<p>${words(description)}</p>` : ''}${operations.map(renderOperation).join('')}</section>`,
    ),
    '</main></body></html>',
  ].join('\n')
}

function renderOperation(operation: ReadOperation): string {
  const { method, path, summary, description, parameters, bodies, samples, answers } = operation
  return [
    `<details><summary><b class="${escapeHtml(method.toLowerCase())}">${escapeHtml(method)}</b> <code>${escapeHtml(path)}</code>`,
    ` <span>${escapeHtml(summary)}</span></summary>`,
    description ? `<p>${words(description)}</p>` : '',
    `<p>Credentials: ${escapeHtml(credentials(operation))}</p>`,
    parameters.length > 0 ? `<h3>Parameters</h3>${table(parameters.map(placed))}` : '',
    ...bodies.map(body => `<h3>Body <small>${escapeHtml(body.media)}</small></h3>${members(body)}`),
    samples ? `<h3>Code</h3>${Object.entries(samples).map(sample).join('')}` : '',
    ...answers.map(renderAnswer),
    '</details>',
  ].join('')
}

const placed = ({ place, path, ...rest }: ReadOperation['parameters'][number]): Member => ({
  ...rest,
  path: `${path} (${place})`,
})

const sample = ([language, code]: [string, string]): string =>
  `<details class="code"><summary>${language}</summary><pre>${escapeHtml(code)}</pre></details>`

const credentialNames: Record<string, string> = {
  publicKey: 'public key',
  secretKey: 'secret key',
  session: 'session cookie',
  project: 'header X-Project-Id',
}

function credentials({ credentials: options, scopes }: ReadOperation): string {
  if (options.length === 0) return 'none'
  const pairs = options.map(names => names.map(name => credentialNames[name] ?? name).join(' with '))
  const scoped = scopes ? [`a key with the scope ${scopes.join(' and ')}`] : []
  return [...pairs, ...scoped].join(', or ')
}

function renderAnswer({
  status,
  description,
  members: rows,
  type,
  example: value,
}: ReadOperation['answers'][number]) {
  const title = `<h3>${escapeHtml(status)} <small>${words(description)}</small></h3>`
  if (!rows || type === undefined) return title
  return title + members({ members: rows, type }) + example(value)
}

function example(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `<details class="code"><summary>Example</summary><pre>${escapeHtml(text)}</pre></details>`
}

/** The members of an object as a table; of anything else its type. */
function members({ members: rows, type }: Pick<WireShape, 'members' | 'type'>): string {
  return rows.length > 0 ? table(rows) : `<p>${escapeHtml(type)}</p>`
}

function table(rows: Member[]): string {
  return `<table><thead><tr><th>Name</th><th>Type</th><th>Notes</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table>`
}

function row({ path, type, required, notes }: Member): string {
  const said = [required ? 'required' : '', notes].filter(Boolean).join('; ')
  return `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(type)}</td><td>${words(said)}</td></tr>`
}

/** What is between backticks is typed as it stands. */
function words(text: string): string {
  const parts = text.split('`').map(escapeHtml)
  return parts.map((part, nth) => (nth % 2 === 0 ? part : `<code>${part}</code>`)).join('')
}

function anchor(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

export const style = `${palette}
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 4rem; background: var(--sheet); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--strong) } :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
header p { white-space: pre-line }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
h2 { margin: 2.5rem 0 .5rem } h3 { margin: 1rem 0 .25rem; font-size: 1rem } small { font-weight: normal; color: var(--quiet) }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: .4rem .75rem }
summary { cursor: pointer; overflow-wrap: anywhere } summary span { color: var(--quiet) }
summary b { display: inline-block; min-width: 4.5rem; font-family: ui-monospace, monospace }
code, pre { font-family: ui-monospace, monospace } pre { overflow-x: auto; margin: .3rem 0 }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
`

const digest = createHash('sha256').update(style).digest('base64')

/** Sent with the page: nothing but its own style sheet may be used. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Of the guides: text to be read from start to end. */
export const guideStyle = `${palette}
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0 auto; max-width: 50rem; padding: 1rem 1.25rem 4rem; background: var(--sheet); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word }
a { color: var(--link) } :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
header { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border-bottom: 1px solid var(--line) } header a { padding: .6rem 0 }
h1 { margin: 1.5rem 0 1rem; font-size: 1.9rem; line-height: 1.2 } h2 { margin: 2.5rem 0 .75rem; font-size: 1.35rem; line-height: 1.3 } h3 { margin: 1.75rem 0 .5rem; font-size: 1.1rem }
nav { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; margin: 0 0 1.5rem; padding: .75rem 1rem; border-radius: 8px; background: var(--note); font-size: .9rem } nav a { padding: .2rem 0 }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em }
:not(pre) > code { padding: .1em .3em; border-radius: 4px; background: var(--ground); overflow-wrap: anywhere }
pre { margin: 1rem 0; padding: .75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); line-height: 1.5 } pre code { font-size: 1em }
table { display: block; overflow-x: auto; margin: 1rem 0; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top } td { min-width: 7rem } td code { overflow-wrap: normal }
li { margin: .25rem 0 } blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 4px solid var(--line); color: var(--quiet) }
@media print { header, nav { display: none } }
`
