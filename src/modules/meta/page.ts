// The page that shows the OpenAPI document to people: plain HTML made from it, without a script and without anything loaded
// from elsewhere, so that it works in a closed network and under the strictest policy. Sending comes first. Pure.
import { createHash } from 'node:crypto'
import type { NamedSchemas, Schema } from '../../http/openapi/schema'
import { escapeHtml } from '../../lib/escape'
import { type Member, memberOf, membersOf, typeOf } from './members'
import { languages, sampleOf } from './samples'
import { style } from './style'

/** The parts of an OpenAPI document that the page shows. */
export interface Described {
  info: { title: string; version: string; description: string }
  servers: Array<{ url: string }>
  tags: Array<{ name: string; description?: string }>
  paths: Record<string, Record<string, DescribedOperation>>
  components?: { schemas?: NamedSchemas }
}

type Content = Record<string, { schema: Schema; example?: unknown }>

interface DescribedOperation {
  summary?: string
  description?: string
  tags?: string[]
  security?: Array<Record<string, string[]>>
  parameters?: Array<{ name: string; in: string; required?: boolean; schema: Schema }>
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>
}

const digest = createHash('sha256').update(style).digest('base64')

/** Goes out with the page: nothing but its own style sheet may be used. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** What an application calls comes first, then what it sends with and to whom; the rest as the document has it. */
const first = ['Public API', 'Emails', 'Templates', 'Contacts', 'Events', 'Domains', 'Campaigns', 'Segments']

export function renderApiPage(document: Described): string {
  const { info, servers } = document
  const sections = groups(document)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(info.title)} API</title><style>${style}</style></head><body>`,
    `<header><h1>${escapeHtml(info.title)} API <small>${escapeHtml(info.version)}</small></h1>`,
    `<p>${escapeHtml(info.description)}</p>`,
    `<p>Base address <code>${escapeHtml(servers[0]?.url ?? '')}</code>, machine-readable: <a href="openapi.json">openapi.json</a>. Keys are in the <a href="app/settings/keys">dashboard</a>.</p>`,
    `<nav>${sections.map(({ tag }) => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`).join(' ')}</nav></header><main>`,
    ...sections.map(
      ({ tag, description, rows }) =>
        `<section id="${anchor(tag)}"><h2>${escapeHtml(tag)}</h2>${description ? `<p>${escapeHtml(description)}</p>` : ''}${rows.join('')}</section>`,
    ),
    '</main></body></html>',
  ].join('\n')
}

interface Group {
  tag: string
  description?: string
  rows: string[]
}

/** Operations by their first tag. */
function groups(document: Described): Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'Other')
  const rank = (tag: string): number => (first.includes(tag) ? first.indexOf(tag) : first.length)
  return [...byTag]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([tag, rows]) => ({
      tag,
      description: document.tags.find(({ name }) => name === tag)?.description,
      rows: rows.map(({ path, method, operation }) => renderOperation(document, method, path, operation)),
    }))
}

function renderOperation(
  document: Described,
  method: string,
  path: string,
  operation: DescribedOperation,
): string {
  const schemas = document.components?.schemas ?? {}
  return [
    `<details><summary><b class="${escapeHtml(method)}">${escapeHtml(method.toUpperCase())}</b> <code>${escapeHtml(path)}</code>`,
    ` <span>${escapeHtml(operation.summary ?? '')}</span></summary>`,
    operation.description ? `<p>${escapeHtml(operation.description)}</p>` : '',
    `<p>Credentials: ${escapeHtml(credentials(operation.security))}</p>`,
    parameterTable(operation.parameters ?? [], schemas),
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, { schema }]) =>
        `<h3>Body <small>${escapeHtml(type)}</small></h3>${schemaTable(schema, schemas)}`,
    ),
    code(document, method, path, operation),
    ...Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer, schemas)),
    '</details>',
  ].join('')
}

/** Code for what a key may call; people with a session have the dashboard. */
function code({ servers }: Described, method: string, path: string, operation: DescribedOperation): string {
  const names = (operation.security ?? []).flatMap(option => Object.keys(option))
  const key = names.includes('secretKey') ? 'sk_…' : names.includes('publicKey') ? 'pk_…' : undefined
  const content = operation.requestBody?.content
  if (key === undefined || (content && !content['application/json'])) return ''
  const body = content?.['application/json']?.example
  const request = { url: `${servers[0]?.url ?? ''}${path}`, method: method.toUpperCase(), key, body }
  const samples = languages.map(
    language =>
      `<details class="code"><summary>${language}</summary><pre>${escapeHtml(sampleOf(language, request))}</pre></details>`,
  )
  return `<h3>Code</h3>${samples.join('')}`
}

const credentialNames: Record<string, string> = {
  publicKey: 'public key',
  secretKey: 'secret key',
  session: 'session cookie',
  project: 'header X-Project-Id',
}

function credentials(security: DescribedOperation['security']): string {
  if (!security?.length) return 'none'
  return security
    .map(option =>
      Object.keys(option)
        .map(name => credentialNames[name] ?? name)
        .join(' with '),
    )
    .join(', or ')
}

function parameterTable(
  parameters: NonNullable<DescribedOperation['parameters']>,
  schemas: NamedSchemas,
): string {
  const rows = parameters.map(({ name, in: place, required, schema }) =>
    memberOf(`${name} (${place})`, schema, required === true, schemas),
  )
  return rows.length > 0 ? `<h3>Parameters</h3>${table(rows)}` : ''
}

function renderAnswer(
  status: string,
  answer: DescribedOperation['responses'][string],
  schemas: NamedSchemas,
): string {
  if (answer.$ref) return ''
  const title = `<h3>${escapeHtml(status)} <small>${escapeHtml(answer.description ?? '')}</small></h3>`
  const [content] = Object.values(answer.content ?? {})
  // Errors all have one form.
  if (!content || Number(status) >= 400) return title
  return title + schemaTable(content.schema, schemas) + example(content.example)
}

function example(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `<details class="code"><summary>Example</summary><pre>${escapeHtml(text)}</pre></details>`
}

/** The members of an object as a table; of anything else its type. */
function schemaTable(schema: Schema, schemas: NamedSchemas): string {
  const rows = membersOf(schema, schemas)
  return rows.length > 0 ? table(rows) : `<p>${escapeHtml(typeOf(schema, schemas))}</p>`
}

function table(rows: Member[]): string {
  return `<table><thead><tr><th>Name</th><th>Type</th><th>Notes</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table>`
}

function row({ path, type, notes }: Member): string {
  return `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(type)}</td><td>${escapeHtml(notes)}</td></tr>`
}

function anchor(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
