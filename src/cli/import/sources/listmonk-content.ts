// Templates and campaigns of listmonk's database. A template for campaigns is a layout here, one for transactional mail a template; campaigns
// become drafts. What their placeholders say is translated where it means the same, and refused otherwise.
import { namedSender } from '../answered'
import { type GoContext, translateGo } from '../go-template'
import type { ContentItem } from '../record'

/** Rows of listmonk, as its own tables have them. */
export interface ListmonkTemplate {
  id: number
  name: string
  type: string
  subject: string
  body: string
}

export interface ListmonkCampaign {
  id: number
  name: string
  subject: string
  fromEmail: string
  body: string
  altbody: string | null
  contentType: string
  type: string
  status: string
  messenger: string
  headers: unknown
  templateId: number | null
  lists: string[]
  /** Names of lists that are no longer there. */
  deletedLists: string[]
  sendAt: string | null
  tags: unknown
  files: number
}

export interface ListmonkSettings {
  language: string
  rootUrl: string
  fromEmail: string
}

export interface ContentRules {
  settings: ListmonkSettings
  /** Attributes that are lists or objects for somebody, which print differently here. */
  structured: ReadonlySet<string>
  /** Lists are topics: only then it is known whom a campaign goes to. */
  topics: boolean
  /** Campaigns that were sent come as drafts, too. */
  finished: boolean
}

/** What listmonk's own template says, in its words. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    'email.unsub': 'Unsubscribe',
    'email.viewInBrowser': 'View in browser',
    'public.poweredBy': 'Powered by',
  },
  de: {
    'email.unsub': 'Abmelden',
    'email.viewInBrowser': 'Im Browser anzeigen',
    'public.poweredBy': 'Unterstützt von',
  },
  fr: {
    'email.unsub': 'Se désabonner',
    'email.viewInBrowser': 'Voir dans le navigateur',
    'public.poweredBy': 'Propulsé par',
  },
  es: {
    'email.unsub': 'Darse de baja',
    'email.viewInBrowser': 'Ver en el navegador',
    'public.poweredBy': 'Propulsado por',
  },
}

export function listmonkTemplate(row: ListmonkTemplate, { settings, structured }: ContentRules): ContentItem {
  const place = `template ${row.id}`
  const own = { place, key: String(row.id), name: row.name }
  const context = { words: words[settings.language] ?? {} }
  const notesOf = (text: string): string[] => [...imagesOf(text, settings), ...structuredIn(text, structured)]
  if (row.type === 'campaign') {
    const { text, faults } = translateGo(row.body, { ...context, kind: 'layout' })
    return { ...own, kind: 'layout', faults, notes: notesOf(text), body: text }
  }
  if (row.type !== 'tx')
    return {
      kind: 'nothing',
      place: `${place} (${row.name})`,
      reason: 'not taken: a starting point for its visual editor',
    }
  const [subject, body] = [
    translateGo(row.subject, { ...context, kind: 'subject', isTx: true }),
    translateGo(row.body, { ...context, kind: 'body', isTx: true }),
  ]
  return {
    ...{ ...own, kind: 'template', type: 'TRANSACTIONAL' },
    faults: [...subject.faults.map(fault => `subject, ${fault}`), ...body.faults],
    notes: [
      ...notesOf(`${subject.text} ${body.text}`),
      ...(/<html/i.test(body.text)
        ? []
        : ['it is no whole document, so it gets the frame that emails have here']),
    ],
    message: { subject: subject.text, body: body.text, ...namedSender(settings.fromEmail) },
  }
}

export function listmonkCampaign(row: ListmonkCampaign, rules: ContentRules): ContentItem {
  const { settings } = rules
  const context = {
    words: words[settings.language] ?? {},
    campaign: { name: row.name, subject: row.subject },
  }
  const subject = translateGo(row.subject, { ...context, kind: 'subject' })
  const body = bodyOf(row, context)
  return {
    ...{
      kind: 'campaign',
      place: `campaign ${row.id}`,
      key: String(row.id),
      name: row.name,
      type: 'MARKETING',
    },
    message: { subject: subject.text, body: body.text, ...namedSender(row.fromEmail || settings.fromEmail) },
    audience: { lists: row.lists },
    // A campaign of the visual editor is a whole document, which listmonk puts into no template.
    layout: row.templateId === null || row.contentType === 'visual' ? undefined : String(row.templateId),
    faults: [
      ...campaignFaults(row, rules),
      ...subject.faults.map(fault => `subject, ${fault}`),
      ...body.faults,
    ],
    notes: [
      ...campaignNotes(row),
      ...imagesOf(body.text, settings),
      ...structuredIn(`${subject.text} ${body.text}`, rules.structured),
    ],
  }
}

function bodyOf({ body, contentType }: ListmonkCampaign, context: Omit<GoContext, 'kind'>) {
  if (contentType === 'markdown')
    return { text: '', faults: ['written in Markdown: save it as HTML there first'] }
  const isPlain = contentType === 'plain'
  const { text, faults } = translateGo(body, { ...context, kind: 'body', isPlain })
  return { faults, text: isPlain ? `<div style="white-space: pre-wrap">${text}</div>` : text }
}

function campaignFaults(row: ListmonkCampaign, { topics, finished }: ContentRules): string[] {
  return [
    ...(row.type === 'optin' ? ['it asks for confirmation, which forms do here'] : []),
    ...(row.messenger !== 'email' ? [`it is sent by ${row.messenger}, not by e-mail`] : []),
    ...(!finished && ['running', 'cancelled', 'finished'].includes(row.status)
      ? [`it is ${row.status}; --finished takes it as a draft`]
      : []),
    ...(row.lists.length === 0 ? [withoutList(row)] : []),
    ...(topics ? [] : ['without --topics it would have no audience here']),
  ]
}

function withoutList({ deletedLists }: ListmonkCampaign): string {
  return deletedLists.length > 0
    ? `its lists were deleted there (${deletedLists.join(', ')}), so it would have no audience here`
    : 'it has no list, so it would have no audience here'
}

function campaignNotes(row: ListmonkCampaign): string[] {
  const { altbody, headers, files, deletedLists, sendAt, tags, status } = row
  return [
    ...(deletedLists.length > 0 ? [`without lists that were deleted there: ${deletedLists.join(', ')}`] : []),
    ...(status === 'scheduled' && sendAt ? [`it was scheduled for ${sendAt}: schedule the draft here`] : []),
    ...(Array.isArray(tags) && tags.length > 0 ? [`without its tags: ${tags.join(', ')}`] : []),
    ...(altbody ? ['without its own text part: here it is made from the HTML'] : []),
    ...(Array.isArray(headers) && headers.length > 0 ? ['without its own headers'] : []),
    ...(files > 0 ? [`without its attached files (${files})`] : []),
  ]
}

/** Go prints `[a b]` and `map[a:b]`. */
function structuredIn(text: string, structured: ReadonlySet<string>): string[] {
  return [...structured].flatMap(name =>
    text.includes(`{{ ${name} `) || text.includes(`data["${name}"]`)
      ? [`"${name}" is a list or an object for some subscribers, which prints differently here`]
      : [],
  )
}

/** They are lost when listmonk is switched off. */
function imagesOf(html: string, { rootUrl }: ListmonkSettings): string[] {
  const at = `${rootUrl}/uploads/`
  return rootUrl !== '' && html.includes(at) ? [`its images stay where they are: ${at}`] : []
}
