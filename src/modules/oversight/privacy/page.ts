// The pages behind the link to one's data: what may be done, the copy to be read, and what follows the erasure. Pure.
import { escapeHtml } from '../../../lib/escape'
import { headersWith, pageDocument, pageHeaders } from '../../../lib/hosted-page'
import { type Locale, pickLocale, sentenceAsHtml } from '../../sending/preferences'

export interface Person {
  id: string
  projectId: string
  email: string
  /** Null if the contact has none, or one that is not text. */
  locale: string | null
  projectName: string
  projectLanguage: string
}

/** The newest of one kind. */
export interface ReadablePart {
  items: object[]
  hasMore: boolean
}

/** What the page shows of a copy. */
export interface ReadableCopy extends Record<'consent' | 'events' | 'messages', ReadablePart> {
  person: {
    contact: { data: Record<string, unknown> }
    topics: ReadonlyArray<{ name: string; subscribed: boolean }>
  }
}

export interface PrivacyPage {
  html: string
  headers: Readonly<Record<string, string>>
}

const style = `
.tick { display: flex; gap: .6rem; align-items: center; margin-bottom: 1rem; }
.tick input { width: 1.25rem; min-height: 2.75rem; margin: 0; flex: none; }
.tick label { margin: 0; padding: .6rem 0; }
bdi { font-weight: 400; }
.name { color: var(--quiet); }
dl.data { display: grid; gap: .25rem; }
dl.data dd { font-weight: 400; margin-bottom: .5rem; white-space: pre-wrap; }
ul { padding: 0; list-style: none; font-size: .875rem; }
li { padding: .5rem 0; border-top: 1px solid var(--line); }
h2:focus-visible { outline-offset: 4px; }
`

function page(locale: Locale, person: Person, title: string, body: string): PrivacyPage {
  const heading = escapeHtml(title)
  const tab = `${heading} · ${escapeHtml(person.projectName)}`
  return {
    html: pageDocument(tab, `<h1>${heading}</h1>${body}`, locale.code, style),
    headers: headersWith(style),
  }
}

const localeOf = ({ locale, projectLanguage }: Person): Locale => pickLocale(locale, projectLanguage)

/** Reading, saving, and erasing with a tick before it. */
export function renderChoices(person: Person, token: string): PrivacyPage {
  const locale = localeOf(person)
  const { title, read, save, erase } = locale.privacy
  const button = (action: string, words: string, attributes = ''): string =>
    `<button${attributes} name="action" value="${action}">${escapeHtml(words)}</button>`
  const opening = `<form method="post" action="?t=${escapeHtml(token)}">`
  const body =
    `<p><bdi>${escapeHtml(person.projectName)}</bdi> · <bdi>${escapeHtml(person.email)}</bdi></p>` +
    `${opening}${button('read', read, ' class="main"')}</form>${opening}${button('save', save)}</form>` +
    `<section aria-labelledby="erase"><h2 id="erase">${escapeHtml(erase.title)}</h2>` +
    `<p>${sentenceAsHtml(erase.text, { email: person.email })}</p>${opening}<div class="tick">` +
    `<input type="checkbox" id="sure" name="sure" value="1" required><label for="sure">${escapeHtml(erase.sure)}</label></div>` +
    `${button('erase', erase.button)}</form></section>`
  return page(locale, person, title, body)
}

export function renderErased(person: Person): PrivacyPage {
  const locale = localeOf(person)
  const { doneTitle, done } = locale.privacy.erase
  return page(locale, person, doneTitle, `<p>${escapeHtml(done)}</p>`)
}

/** Whose link it was is not known, nor whether it ever was one. */
export function renderOver(locale: Locale): PrivacyPage {
  return plain(locale, locale.forms.over.title, locale.privacy.over)
}

export function renderTooMany(locale: Locale): PrivacyPage {
  return plain(locale, locale.privacy.title, locale.forms.faults.tooMany)
}

function plain(locale: Locale, title: string, text: string): PrivacyPage {
  const heading = escapeHtml(title)
  return {
    html: pageDocument(heading, `<h1>${heading}</h1><p>${escapeHtml(text)}</p>`, locale.code),
    headers: pageHeaders,
  }
}

export function renderCopy(person: Person, copy: ReadableCopy, token: string): PrivacyPage {
  const locale = localeOf(person)
  const { title, parts } = locale.privacy
  const { data, ...contact } = copy.person.contact
  const topics = copy.person.topics.map(({ name, subscribed }) => [
    name,
    subscribed ? locale.manage.subscribed : locale.manage.unsubscribed,
  ])
  const back = `<p><a href="?t=${escapeHtml(token)}">${escapeHtml(title)}</a></p>`
  const body = [
    section(parts.contact, facts(Object.entries(contact))),
    section(parts.fields, facts(Object.entries(data))),
    section(locale.topics.title, facts(topics as Array<[string, string]>)),
    section(parts.consent, list(copy.consent, locale)),
    section(parts.events, list(copy.events, locale)),
    section(parts.messages, list(copy.messages, locale)),
  ]
  return page(locale, person, title, body.join('') + back)
}

/** A part with nothing in it is left out. */
function section(title: string, content: string): string {
  return content === '' ? '' : `<section><h2>${escapeHtml(title)}</h2>${content}</section>`
}

function facts(entries: ReadonlyArray<readonly [string, unknown]>): string {
  const said = entries.filter(([, value]) => value !== null && value !== undefined)
  if (said.length === 0) return ''
  const items = said.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${shown(value)}</bdi></dd>`)
  return `<dl class="data">${items.join('')}</dl>`
}

function list({ items, hasMore }: ReadablePart, locale: Locale): string {
  if (items.length === 0) return ''
  const rows = items.map(item => {
    const { at, ...rest } = item as { at: string }
    const said = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
    const words = said.map(
      ([name, value]) => `<span class="name">${escapeHtml(name)}</span> <bdi>${shown(value)}</bdi>`,
    )
    return `<li><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time><br>${words.join(' · ')}</li>`
  })
  const newest = hasMore
    ? `<p>${sentenceAsHtml(locale.privacy.newest, { number: String(items.length) })}</p>`
    : ''
  return `${newest}<ul>${rows.join('')}</ul>`
}

/** A value may be as large as a contact's data: the file has it whole. */
const longestShown = 500

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return escapeHtml(text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text)
}
