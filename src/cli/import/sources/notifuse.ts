// `waxwing import notifuse https://… --workspace ID`: contacts of a workspace of Notifuse with the state of each of their lists.
import { type Answered, answeredList, answeredText, byCursor, listOf, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import { taken } from '../go-template'
import { type SourceList, uniqueNames } from '../lists'
import { rewritePlaceholders } from '../placeholders'
import type { ContentItem, ImportSource, PeerRecord } from '../record'

/** As many as it hands out at once. */
const rowsAtATime = 100

export function notifuseSource(api: Api, workspace: string, { content = false } = {}): ImportSource {
  return {
    outlook: async () => ({ notes: [], lists: [...(await readLists(api, workspace)).values()] }),
    read: () => contacts(api, workspace),
    addressesAreUnique: true,
    ...(content ? { content: () => notifuseContent(api, workspace, notifuseField) } : {}),
  }
}

/** By id, each under a name of its own. */
type Lists = ReadonlyMap<string, SourceList>

async function readLists(api: Api, workspace: string): Promise<Lists> {
  const answer = objectOf(await api.get('/api/lists.list', { workspace_id: workspace }))
  const rows = answeredList(answer['lists'] ?? [], 'lists').map(row => ({
    ...{ id: answeredText(row['id']), name: answeredText(row['name']) || answeredText(row['id']) },
    ...{ isOffered: row['is_public'] === true, description: answeredText(row['description']) || undefined },
  }))
  const names = uniqueNames(rows.sort((a, b) => (a.id < b.id ? -1 : 1)))
  return new Map(rows.map(({ id, ...list }) => [id, { ...list, name: names.get(id)! }]))
}

async function* contacts(api: Api, workspace: string): AsyncGenerator<PeerRecord> {
  const known = await readLists(api, workspace)
  const query = { workspace_id: workspace, with_contact_lists: 'true', limit: rowsAtATime }
  const rows = byCursor(async cursor => {
    const answer = objectOf(
      await api.get('/api/contacts.list', cursor === undefined ? query : { ...query, cursor }),
    )
    return {
      rows: answeredList(answer['contacts'] ?? [], 'contacts'),
      next: answeredText(answer['next_cursor']),
    }
  })
  for await (const row of rows) yield toRecord(row, known)
}

interface Membership {
  name: string
  status: string
  /** When the state last changed. */
  at: Date | undefined
}

function toRecord(row: Answered, known: Lists): PeerRecord {
  const email = answeredText(row['email'])
  const lists = listOf(row['contact_lists'])
    .filter(list => list['deleted_at'] === undefined || list['deleted_at'] === null)
    .map(list => ({
      name: nameOf(list, known),
      status: answeredText(list['status']),
      at: dateOf(list['updated_at'] ?? list['created_at']),
    }))
  const subscribed = lists.some(isActive)
  return {
    ...{ place: `contact ${email}`, email, texts: {}, values: valuesOf(row), subscribed },
    ...(!subscribed && lists.some(saidNo) ? { optedOutAt: lastOf(lists.filter(saidNo)) ?? 'unknown' } : {}),
    ...suppressionOf(lists),
    consent: consentOf(lists),
    lists: lists.filter(isActive).map(list => list.name),
    topics: lists
      .filter(list => saidNo(list) || (isActive(list) && !isGivenUp(lists)))
      .map(list => ({
        name: list.name,
        subscribed: isActive(list),
        at: list.at,
        evidence: evidenceOf([list]),
      })),
  }
}

function nameOf(list: Answered, known: Lists): string {
  const id = answeredText(list['list_id'])
  return known.get(id)?.name ?? (answeredText(list['list_name']) || id)
}

function dateOf(value: unknown): Date | undefined {
  const time = timeOf(value)
  return time === undefined ? undefined : new Date(time)
}

function lastOf(lists: readonly Membership[]): Date | undefined {
  const times = lists.flatMap(({ at }) => (at ? [at.getTime()] : []))
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}

/** The first yes, or the last no. */
function consentOf(lists: readonly Membership[]): NonNullable<PeerRecord['consent']> {
  const [yes, no] = [lists.filter(isActive), lists.filter(saidNo)]
  if (yes.length === 0) return { at: lastOf(no), evidence: evidenceOf(no) }
  const times = yes.flatMap(({ at }) => (at ? [at.getTime()] : []))
  return { at: times.length === 0 ? undefined : new Date(Math.min(...times)), evidence: evidenceOf(yes) }
}

function evidenceOf(lists: readonly Membership[]): string | undefined {
  const words = lists.flatMap(({ name, status, at }) =>
    at ? [`${status} ${at.toISOString()} (${name})`] : [],
  )
  return words.length === 0 ? undefined : `Notifuse: ${words.join(', ')}`
}

const isActive = ({ status }: Membership): boolean => status === 'active'

/** Who is `pending` has not confirmed yet, and said nothing. */
const saidNo = ({ status }: Membership): boolean => ['unsubscribed', 'bounced', 'complained'].includes(status)

const isGivenUp = (lists: readonly Membership[]): boolean => suppressionOf(lists).suppressed !== undefined

/** Notifuse keeps bounces for each list; an address that does not exist, or a person who complained, is the same for all of them. */
function suppressionOf(lists: readonly Membership[]): Pick<PeerRecord, 'suppressed'> {
  const has = (status: string): boolean => lists.some(list => list.status === status)
  if (has('complained')) return { suppressed: { reason: 'complaint', source: 'notifuse: complained' } }
  return has('bounced') ? { suppressed: { reason: 'bounce', source: 'notifuse: bounced' } } : {}
}

/** What is about Notifuse itself, or taken over elsewhere. */
const leftOut = /^(email|contact_lists|contact_segments|created_at|updated_at|db_created_at|db_updated_at)$/

const ownNames: Readonly<Record<string, string>> = { language: 'locale' }

/** The field that a column of Notifuse becomes: `first_name` is `firstName`. */
function notifuseField(column: string): string {
  return ownNames[column] ?? column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function valuesOf(row: Answered): Record<string, unknown> {
  const created = timeOf(row['created_at'])
  const fields = Object.entries(row).filter(([column]) => !leftOut.test(column))
  return {
    ...Object.fromEntries(fields.map(([column, value]) => [notifuseField(column), value])),
    ...(created ? { signedUpAt: created } : {}),
  }
}

export async function* notifuseContent(
  api: Api,
  workspace: string,
  fieldOf: (column: string) => string,
): AsyncGenerator<ContentItem> {
  const answer = objectOf(await api.get('/api/templates.list', { workspace_id: workspace, channel: 'email' }))
  for (const row of answeredList(answer['templates'], 'templates')) yield toTemplate(row, fieldOf)
}

function toTemplate(row: Answered, fieldOf: (column: string) => string): ContentItem {
  const email = objectOf(row['email'])
  const key = answeredText(row['id'])
  const names: Names = { fieldOf, hasOwnData: row['category'] === 'transactional' }
  const translated = (text: unknown) =>
    rewritePlaceholders(
      answeredText(text),
      inside => placeholder(inside, names),
      inside => tag(inside, names),
    )
  const [subject, body] = [translated(email['subject']), translated(email['compiled_preview'])]
  return {
    ...{ kind: 'template', place: `template ${key}`, key, name: answeredText(row['name']) || key },
    type: row['category'] === 'transactional' ? 'TRANSACTIONAL' : 'MARKETING',
    // It names a sender of the workspace by an id alone.
    message: {
      subject: subject.text,
      body: body.text,
      from: '',
      replyTo: answeredText(email['reply_to']) || null,
    },
    faults: [
      ...(email['editor_mode'] === 'code' ? ['written as MJML: save its HTML'] : []),
      ...subject.faults.map(fault => `subject, ${fault}`),
      ...body.faults,
    ],
    notes: [
      ...(Object.keys(objectOf(row['translations'])).length > 0 ? ['without its translations'] : []),
      ...(names.hasOwnData && body.text.includes('{{')
        ? ['its values are printed as text here: write {{ name | raw }} for one that holds HTML']
        : []),
    ],
  }
}

const links: Readonly<Record<string, string>> = {
  unsubscribe_url: 'unsubscribeUrl',
  notification_center_url: 'manageUrl',
}

interface Names {
  fieldOf(column: string): string
  /** A transactional template is sent with data of its own, which has the same names here. */
  hasOwnData: boolean
}

/** A name, and the filters behind it as they are. */
function placeholder(inside: string, names: Names): string | undefined {
  const bar = inside.indexOf('|')
  const [name, filters] = bar === -1 ? [inside, ''] : [inside.slice(0, bar).trim(), ` ${inside.slice(bar)}`]
  const ours = nameHere(name, names)
  return ours === undefined ? undefined : `${ours}${filters}`
}

function nameHere(name: string, { fieldOf, hasOwnData }: Names): string | undefined {
  if (Object.hasOwn(links, name)) return links[name]
  const column = /^contact\.([a-z0-9_]+)$/.exec(name)?.[1]
  if (column !== undefined) return column === 'email' ? column : fieldOf(column)
  const isOwn = hasOwnData && /^[A-Za-z_]\w*(?:\.\w+)*$/.test(name) && !isKnownObject(name)
  return isOwn && !taken.test(name.split('.')[0]!) ? name : undefined
}

/** What Notifuse fills in itself. */
function isKnownObject(name: string): boolean {
  return ['contact', 'list', 'workspace', 'broadcast', 'message'].includes(name.split('.')[0]!)
}

const conditions: ReadonlySet<string> = new Set(['if', 'elsif', 'else', 'endif', 'unless', 'endunless'])
const loops: ReadonlySet<string> = new Set(['for', 'endfor'])
const otherWords: ReadonlySet<string> = new Set([
  ...['and', 'or', 'contains', 'in', 'blank', 'empty', 'nil', 'null', 'true', 'false', 'forloop'],
])

/** Conditions, and loops over data of its own: Liquid here as there, with our names. */
function tag(inside: string, names: Names): string | undefined {
  const [word = ''] = inside.split(/\s/, 1)
  if (!conditions.has(word) && !(names.hasOwnData && loops.has(word))) return undefined
  const parts = inside.slice(word.length).split(/("[^"]*"|'[^']*')/)
  const ours = parts.map((part, index) => {
    if (index % 2 === 1) return part
    return part.replace(/[A-Za-z_][\w.]*/g, name =>
      otherWords.has(name) || name.startsWith('forloop.') ? name : (nameHere(name, names) ?? '\0'),
    )
  })
  return ours.some(part => part.includes('\0')) ? undefined : `${word}${ours.join('')}`
}
