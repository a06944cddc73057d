// Guides as pages: HTML made from the Markdown in docs/, without a script and without anything loaded from elsewhere. Pure.

import { createHash } from 'node:crypto'
import accounts from '../../../../docs/accounts.md' with { type: 'file' }
import backup from '../../../../docs/backup.md' with { type: 'file' }
import benchmarks from '../../../../docs/benchmarks.md' with { type: 'file' }
import billing from '../../../../docs/billing.md' with { type: 'file' }
import campaigns from '../../../../docs/campaigns.md' with { type: 'file' }
import comparison from '../../../../docs/comparison.md' with { type: 'file' }
import contacts from '../../../../docs/contacts.md' with { type: 'file' }
import domains from '../../../../docs/domains.md' with { type: 'file' }
import errors from '../../../../docs/errors.md' with { type: 'file' }
import events from '../../../../docs/events.md' with { type: 'file' }
import feedback from '../../../../docs/feedback.md' with { type: 'file' }
import forms from '../../../../docs/forms.md' with { type: 'file' }
import gettingStarted from '../../../../docs/getting-started.md' with { type: 'file' }
import hostedPages from '../../../../docs/hosted-pages.md' with { type: 'file' }
import importing from '../../../../docs/import.md' with { type: 'file' }
import keys from '../../../../docs/keys.md' with { type: 'file' }
import mcp from '../../../../docs/mcp.md' with { type: 'file' }
import monitoring from '../../../../docs/monitoring.md' with { type: 'file' }
import overview from '../../../../docs/README.md' with { type: 'file' }
import reliability from '../../../../docs/reliability.md' with { type: 'file' }
import retention from '../../../../docs/retention.md' with { type: 'file' }
import scaling from '../../../../docs/scaling.md' with { type: 'file' }
import segments from '../../../../docs/segments.md' with { type: 'file' }
import selfHosting from '../../../../docs/self-hosting.md' with { type: 'file' }
import sending from '../../../../docs/sending.md' with { type: 'file' }
import submission from '../../../../docs/submission.md' with { type: 'file' }
import templates from '../../../../docs/templates.md' with { type: 'file' }
import testing from '../../../../docs/testing.md' with { type: 'file' }
import threats from '../../../../docs/threats.md' with { type: 'file' }
import tracking from '../../../../docs/tracking.md' with { type: 'file' }
import transports from '../../../../docs/transports.md' with { type: 'file' }
import upgrade from '../../../../docs/upgrade.md' with { type: 'file' }
import webhooks from '../../../../docs/webhooks.md' with { type: 'file' }
import workflows from '../../../../docs/workflows.md' with { type: 'file' }
import { escapeHtml } from '../../../lib/escape'
import { guideStyle } from './page'

const digest = createHash('sha256').update(guideStyle).digest('base64')

/** Sent with each page: nothing but its own style sheet may be used. */
export const guidePolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export interface Guides {
  /** The path below which the instance is reached, without a slash at its end. */
  root: string
  /** Titles of the guides that are served, by name. */
  titles: ReadonlyMap<string, string>
}

interface Heading {
  level: string
  text: string
  id: string
}

/** The first heading. */
export function titleOf(markdown: string): string {
  return headingsOf(Bun.markdown.html(firstLine(markdown)))[0]?.text ?? ''
}

const firstLine = (markdown: string): string => markdown.slice(0, markdown.indexOf('\n') + 1)

/** A guide; the overview where its name is README. */
export function renderGuide(guides: Guides, name: string, markdown: string): string {
  const html = Bun.markdown.html(withoutOwnRows(guides, markdown))
  const headings = headingsOf(html)
  const title = headings[0]?.text ?? name
  const parts = headings.filter(({ level }) => level === 'h2')
  const contents = parts.map(({ id, text }) => `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`)
  const nav = parts.length > 2 ? `<nav aria-label="On this page">${contents.join('')}</nav>` : ''
  return pageOf(
    guides,
    title,
    linked(guides, html, headings).replace('</h1>', () => `</h1>${nav}`),
  )
}

/** For an address below /guides that is none. */
export function renderNoGuide(guides: Guides): string {
  const text = `There is no guide at this address. It may have another name now: look in the <a href="${guides.root}/guides">list of guides</a>.`
  return pageOf(guides, 'Guide not found', `<h1>Guide not found</h1><p>${text}</p>`)
}

function pageOf({ root }: Guides, title: string, body: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} · Waxwing</title><style>${guideStyle}</style></head><body>`,
    `<header><a href="${root}/guides">Guides</a> <a href="${root}/docs">API reference</a> <a href="${root}/app/">Dashboard</a></header>`,
    `<main>${body}</main></body></html>`,
  ].join('\n')
}

/** Without the rows of tables that lead to what is not served here. */
function withoutOwnRows({ titles }: Guides, markdown: string): string {
  const isServed = (line: string): boolean => {
    const targets = [...line.matchAll(/\]\(([a-z-]+)\.md/g)].map(([, name]) => name!)
    return targets.length === 0 || targets.some(name => titles.has(name) || name === 'README')
  }
  return markdown
    .split('\n')
    .filter(line => !line.startsWith('|') || isServed(line))
    .join('\n')
}

const headingTags = 'h1, h2, h3, h4, h5, h6'

/** With ids as on the sites that show Markdown, so that links to headings work here and there. */
function headingsOf(html: string): Heading[] {
  const found: Heading[] = []
  const seen = new Map<string, number>()
  new HTMLRewriter()
    .on(headingTags, {
      element(element) {
        const heading = { level: element.tagName, text: '', id: '' }
        found.push(heading)
        element.onEndTag(() => {
          heading.text = decoded(heading.text)
          const id = idOf(heading.text)
          const times = seen.get(id) ?? 0
          seen.set(id, times + 1)
          heading.id = times === 0 ? id : `${id}-${times}`
        })
      },
      text({ text }) {
        found.at(-1)!.text += text
      },
    })
    .transform(html)
  return found
}

function idOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** What the renderer escapes. */
const escapes: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const decoded = (html: string): string => html.replace(/&(lt|gt|quot|amp);/g, (_, name) => escapes[name]!)

/** Links lead to the pages here; those to files of the source code, which are not served, are text. */
function linked(guides: Guides, html: string, headings: readonly Heading[]): string {
  let next = 0
  /** The title of the page that the current link leads to: it is shown instead of the name of the file. */
  let title: string | undefined
  return new HTMLRewriter()
    .on(headingTags, {
      element: element => void element.setAttribute('id', headings[next++]!.id),
    })
    .on('img', { element: element => void element.remove() })
    .on('a', {
      element(element) {
        const target = targetOf(guides, element.getAttribute('href') ?? '')
        if (target === undefined) element.removeAndKeepContent()
        else element.setAttribute('href', target.href)
        title = target?.title
      },
      text(chunk) {
        if (title !== undefined && /^(docs\/)?[\w-]+\.md$/.test(chunk.text)) chunk.replace(title)
      },
    })
    .transform(html)
}

function targetOf({ root, titles }: Guides, href: string): { href: string; title?: string } | undefined {
  if (/^(#|[a-z]+:)/.test(href)) return { href }
  const [file = '', ...anchor] = href.split('#')
  const name = file.replace(/\.md$/, '')
  const hash = anchor.length > 0 ? `#${anchor.join('#')}` : ''
  if (name === 'README') return { href: `${root}/guides${hash}` }
  return titles.has(name) ? { href: `${root}/guides/${name}${hash}`, title: titles.get(name)! } : undefined
}

const files: Readonly<Record<string, string>> = {
  README: overview,
  accounts,
  backup,
  benchmarks,
  billing,
  campaigns,
  comparison,
  contacts,
  domains,
  errors,
  events,
  feedback,
  forms,
  'getting-started': gettingStarted,
  'hosted-pages': hostedPages,
  import: importing,
  keys,
  mcp,
  monitoring,
  reliability,
  retention,
  scaling,
  segments,
  'self-hosting': selfHosting,
  sending,
  submission,
  templates,
  testing,
  threats,
  tracking,
  transports,
  upgrade,
  webhooks,
  workflows,
}

/** Without the overview. */
export const guideNames: readonly string[] = Object.keys(files).filter(name => name !== 'README')

/** The Markdown of a guide; undefined if there is none of that name. */
export async function readGuide(name: string): Promise<string | undefined> {
  const path = Object.hasOwn(files, name) ? files[name] : undefined
  return path === undefined ? undefined : await Bun.file(path).text()
}
