// Templates of Notifuse, which are Liquid as well: the HTML that its editor made, with our names for what they mention.
import { type Answered, answeredList, answeredText, objectOf } from '../answered'
import type { Api } from '../api'
import { taken } from '../go-template'
import { rewritePlaceholders } from '../placeholders'
import type { ContentItem } from '../record'

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
