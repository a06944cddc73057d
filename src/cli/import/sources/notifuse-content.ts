// Templates of Notifuse, which are Liquid as well: the HTML that its editor made, with our names for what they mention.
import { type Answered, answeredList, answeredText, objectOf } from '../answered'
import type { Api } from '../api'
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
  const nameOf = (inside: string): string | undefined => placeholder(inside, fieldOf)
  const [subject, body] = [
    rewritePlaceholders(answeredText(email['subject']), nameOf),
    rewritePlaceholders(answeredText(email['compiled_preview']), nameOf),
  ]
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
    notes: Object.keys(objectOf(row['translations'])).length > 0 ? ['without its translations'] : [],
  }
}

const links: Readonly<Record<string, string>> = {
  unsubscribe_url: 'unsubscribeUrl',
  notification_center_url: 'manageUrl',
}

/** A name, and the filters behind it as they are. */
function placeholder(inside: string, fieldOf: (column: string) => string): string | undefined {
  const bar = inside.indexOf('|')
  const [name, filters] = bar === -1 ? [inside, ''] : [inside.slice(0, bar).trim(), ` ${inside.slice(bar)}`]
  const column = /^contact\.([a-z0-9_]+)$/.exec(name)?.[1]
  const ours =
    links[name] ?? (column === undefined ? undefined : column === 'email' ? column : fieldOf(column))
  return ours === undefined ? undefined : `${ours}${filters}`
}
