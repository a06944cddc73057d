// The page that shows the OpenAPI document to people: plain HTML made from it, without a script and without anything loaded
// from elsewhere, so that it works in a closed network and under the strictest policy. Pure.
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/escape'
import { style } from './style'

/** The parts of an OpenAPI document that the page shows. */
export interface Described {
  info: { title: string; version: string; description: string }
  servers: Array<{ url: string }>
  tags: Array<{ name: string }>
  paths: Record<string, Record<string, DescribedOperation>>
}

interface DescribedOperation {
  summary?: string
  description?: string
  tags?: string[]
  security?: Array<Record<string, string[]>>
  parameters?: Array<{ name: string; in: string; required?: boolean; schema: Schema }>
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, { schema: Schema }> }
  >
}

type Schema = Record<string, unknown>

const digest = createHash('sha256').update(style).digest('base64')

/** Goes out with the page: nothing but its own style sheet may be used. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function renderPage(document: Described): string {
  const { info, servers } = document
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(info.title)} API</title><style>${style}</style></head><body>`,
    `<header><h1>${escapeHtml(info.title)} API <small>${escapeHtml(info.version)}</small></h1>`,
    `<p>${escapeHtml(info.description)}</p>`,
    `<p>Base address <code>${escapeHtml(servers[0]?.url ?? '')}</code>, machine-readable: <a href="openapi.json">openapi.json</a></p>`,
    `<nav>${groups(document)
      .map(([tag]) => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`)
      .join(' ')}</nav></header><main>`,
    ...groups(document).map(
      ([tag, rows]) => `<section id="${anchor(tag)}"><h2>${escapeHtml(tag)}</h2>${rows.join('')}</section>`,
    ),
    '</main></body></html>',
  ].join('\n')
}

/** Operations by their first tag, in the document's order. */
function groups(document: Described): Array<[tag: string, rows: string[]]> {
  const byTag = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), renderOperation(method, path, operation)])
    }
  }
  return [...byTag]
}

function renderOperation(method: string, path: string, operation: DescribedOperation): string {
  return [
    `<details><summary><b class="${escapeHtml(method)}">${escapeHtml(method.toUpperCase())}</b> <code>${escapeHtml(path)}</code>`,
    ` <span>${escapeHtml(operation.summary ?? '')}</span></summary>`,
    operation.description ? `<p>${escapeHtml(operation.description)}</p>` : '',
    `<p>Credentials: ${escapeHtml(credentials(operation.security))}</p>`,
    parameterTable(operation.parameters ?? []),
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, { schema }]) => `<h3>Body <small>${escapeHtml(type)}</small></h3>${schemaTable(schema)}`,
    ),
    ...Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer)),
    '</details>',
  ].join('')
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

function parameterTable(parameters: NonNullable<DescribedOperation['parameters']>): string {
  const rows = parameters.map(({ name, in: place, required, schema }) =>
    row(`${name} (${place})`, schema, required === true),
  )
  return rows.length > 0 ? `<h3>Parameters</h3>${table(rows)}` : ''
}

function renderAnswer(status: string, answer: DescribedOperation['responses'][string]): string {
  if (answer.$ref) return ''
  const [schema] = Object.values(answer.content ?? {}).map(content => content.schema)
  return `<h3>${escapeHtml(status)}</h3>${schema ? schemaTable(schema) : `<p>${escapeHtml(answer.description ?? '')}</p>`}`
}

/** The members of an object as a table; of anything else its type. */
function schemaTable(schema: Schema): string {
  const rows = members(schema)
  return rows.length > 0 ? table(rows) : `<p>${escapeHtml(typeOf(schema))}</p>`
}

function members(schema: Schema): string[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  const required = (schema['required'] ?? []) as string[]
  return Object.entries(properties).map(([name, member]) => row(name, member, required.includes(name)))
}

function table(rows: string[]): string {
  return `<table><thead><tr><th>Name</th><th>Type</th><th>Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function row(name: string, schema: Schema, required: boolean): string {
  const notes = [required ? 'required' : '', String(schema['description'] ?? ''), bounds(schema)].filter(
    Boolean,
  )
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(typeOf(schema))}</td><td>${escapeHtml(notes.join('; '))}</td></tr>`
}

const boundNames = {
  minLength: 'characters from',
  maxLength: 'characters up to',
  minimum: 'from',
  maximum: 'up to',
  minItems: 'items from',
  maxItems: 'items up to',
  default: 'default',
}

function bounds(schema: Schema): string {
  return Object.entries(boundNames)
    .filter(([name]) => schema[name] !== undefined)
    .map(([name, words]) => `${words} ${String(schema[name])}`)
    .join(', ')
}

function typeOf(schema: Schema): string {
  const union = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (union) return [...new Set(union.map(typeOf))].join(' or ')
  if (Array.isArray(schema['enum'])) return schema['enum'].map(value => JSON.stringify(value)).join(' | ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as Schema)}`
  const type = [schema['type'] ?? 'any'].flat().join(' or ')
  return schema['format'] ? `${type} (${String(schema['format'])})` : type
}

function anchor(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
