// What may be imported from: which source a name on the command line stands for, and which options go with it.
import { UsageFault } from '../../arguments'
import { type Api, isHttp, openApi, readKey } from '../api'
import { type ContentItem, type ImportSource, type Outlook, SourceFault, type SourceRecord } from '../record'
import { brevoFile, brevoSource } from './brevo'
import { csvSource, loopsFile, readMap } from './csv'
import { listmonkFile, readEnabled } from './listmonk'
import { listmonkApi } from './listmonk-api'
import { listmonkDatabase } from './listmonk-database'
import { mailchimpSource } from './mailchimp'
import { notifuseSource } from './notifuse'
import { plunkSource } from './plunk'
import { usesendFile, usesendSource } from './usesend'

/** What was said about the source; the options that concern one source alone. */
export interface SourceChoices {
  map: readonly string[]
  topics: boolean
  'only-list': readonly string[]
  'enabled-are'?: string | undefined
  'key-file'?: string | undefined
  workspace?: string | undefined
  content: boolean
  finished: boolean
  from?: string | undefined
}

type OwnOption = keyof SourceChoices

interface KnownSource {
  /** What may be named, for somebody who named something else. */
  hint: string
  /** What a person names: files, a database, an address. */
  takes: (name: string) => readonly OwnOption[] | undefined
  open: (names: readonly [string, ...string[]], choices: SourceChoices) => ImportSource
  isMany?: true
}

const isDatabase = (name: string): boolean => /^postgres(ql)?:\/\//.test(name)
const file = (options: readonly OwnOption[]) => (name: string) =>
  isHttp(name) || isDatabase(name) ? undefined : options
const address = (options: readonly OwnOption[]) => (name: string) => (isHttp(name) ? options : undefined)

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const openFor = (
  name: string,
  choices: SourceChoices,
  headersOf: (key: string) => Record<string, string>,
): Api =>
  openApi({
    address: name,
    headers: headersOf(readKey(choices['key-file'])),
    async pause(ms) {
      console.error(`trying again in ${Math.ceil(ms / 1_000)} s`)
      await Bun.sleep(ms)
    },
  })

/** Lists are topics only where that was asked for. */
function asked(source: ImportSource, { topics }: SourceChoices): ImportSource {
  async function* withoutTopics(): AsyncGenerator<SourceRecord> {
    for await (const record of source.read()) yield 'topics' in record ? { ...record, topics: [] } : record
  }
  return topics ? source : { ...source, read: withoutTopics }
}

const sources = {
  csv: {
    hint: 'name a CSV file',
    takes: file(['map']),
    open: ([name], { map }) => csvSource(name, { map: readMap(map) }),
  },
  listmonk: {
    hint: 'give the URL of its database (postgres://…) or API (https://…), or a CSV file that it exported',
    takes: name =>
      isDatabase(name)
        ? ['topics', 'only-list', 'content', 'finished', 'from']
        : (address(['key-file', 'topics', 'only-list'])(name) ??
          file(['topics', 'only-list', 'enabled-are'])(name)),
    open: ([name], choices) =>
      isDatabase(name)
        ? listmonkDatabase(name, choices)
        : isHttp(name)
          ? listmonkApi(
              openFor(name, choices, key => ({ authorization: `token ${key}` })),
              choices,
            )
          : listmonkFile(name, { enabled: readEnabled(choices['enabled-are']), topics: choices.topics }),
  },
  mailchimp: {
    hint: 'name the folder of an unpacked export, or its CSV files',
    takes: file(['only-list']),
    open: names => mailchimpSource(names),
    isMany: true,
  },
  plunk: {
    hint: 'name the address of its API (https://…)',
    takes: address(['key-file', 'topics', 'only-list', 'content', 'from']),
    open: ([name], choices) => plunkSource(openFor(name, choices, bearer), choices),
  },
  usesend: {
    hint: 'name the address of its API (https://…), or the CSV file of a contact book',
    takes: name =>
      address(['key-file', 'topics', 'only-list', 'content', 'from'])(name) ?? file(['map'])(name),
    open: ([name], choices) =>
      isHttp(name)
        ? asked(usesendSource(openFor(name, choices, bearer), choices), choices)
        : usesendFile(name, readMap(choices.map)),
  },
  notifuse: {
    hint: 'name the address of its API (https://…)',
    takes: address(['key-file', 'topics', 'only-list', 'workspace', 'content', 'from']),
    open([name], choices) {
      if (!choices.workspace)
        throw new UsageFault('--workspace is missing: the id of the workspace in Notifuse')
      return asked(notifuseSource(openFor(name, choices, bearer), choices.workspace, choices), choices)
    },
  },
  brevo: {
    hint: 'name the address of its API (https://…), or the CSV file that it exports',
    takes: name => address(['key-file', 'topics', 'only-list'])(name) ?? file(['map'])(name),
    open: ([name], choices) =>
      isHttp(name)
        ? asked(brevoSource(openFor(name, choices, key => ({ 'api-key': key }))), choices)
        : brevoFile(name, readMap(choices.map)),
  },
  loops: {
    hint: 'name the CSV file of its audience',
    takes: file(['map']),
    open: ([name], { map }) => loopsFile(name, readMap(map)),
  },
} satisfies Record<string, KnownSource>

export const sourceNames = Object.keys(sources)

/** Throws UsageFault for a name that stands for nothing. */
export function findSource(kind: string): KnownSource {
  if (Object.hasOwn(sources, kind)) return sources[kind as keyof typeof sources]
  throw new UsageFault(kind === '' ? 'the source is missing' : `unknown source: ${kind}`)
}

/** Refuses options that do not concern the source, which would look as if they had been heeded. */
export function openSource(kind: string, names: readonly string[], choices: SourceChoices): ImportSource {
  const { takes, open, hint } = findSource(kind)
  const [name, ...more] = names as [string, ...string[]]
  const options = takes(name)
  if (!options) throw new UsageFault(`${kind} is not imported from ${name}: ${hint}`)
  const given: Record<OwnOption, boolean> = {
    map: choices.map.length > 0,
    topics: choices.topics,
    'only-list': choices['only-list'].length > 0,
    'enabled-are': choices['enabled-are'] !== undefined,
    'key-file': choices['key-file'] !== undefined,
    workspace: choices.workspace !== undefined,
    content: choices.content,
    finished: choices.finished,
    from: choices.from !== undefined,
  }
  for (const option of Object.keys(given) as OwnOption[])
    if (given[option] && !options.includes(option))
      throw new UsageFault(`--${option} is not for ${kind} from ${name}`)
  return onlyLists(open([name, ...more], choices), choices['only-list'])
}

// `--only-list NAME`: which lists of a source become topics and segments. Everybody is still imported, and what they said of all lists counts
// for their subscription.

export function onlyLists(source: ImportSource, names: readonly string[]): ImportSource {
  if (names.length === 0) return source
  const chosen = new Set(names)
  async function* read(): AsyncGenerator<SourceRecord> {
    for await (const record of source.read())
      yield 'refused' in record
        ? record
        : {
            ...record,
            lists: record.lists.filter(name => chosen.has(name)),
            topics: (record.topics ?? []).filter(({ name }) => chosen.has(name)),
          }
  }
  async function* content(): AsyncGenerator<ContentItem> {
    for await (const item of source.content!()) yield withChosen(item, chosen)
  }
  return {
    ...source,
    read,
    outlook: async () => choose((await source.outlook?.()) ?? { notes: [] }, chosen),
    ...(source.content ? { content } : {}),
  }
}

function choose(outlook: Outlook, chosen: ReadonlySet<string>): Outlook {
  const { lists } = outlook
  if (!lists) return outlook
  const unknown = [...chosen].find(name => !lists.some(list => list.name === name))
  if (unknown !== undefined)
    throw new SourceFault(
      `there is no list ${JSON.stringify(unknown)}; the lists are:\n${lists.map(({ name }) => `  ${name}`).join('\n')}`,
    )
  return { ...outlook, lists: lists.filter(({ name }) => chosen.has(name)) }
}

function withChosen(item: ContentItem, chosen: ReadonlySet<string>): ContentItem {
  if (item.kind !== 'campaign' || !('lists' in item.audience)) return item
  const { lists } = item.audience
  const [kept, left] = [lists.filter(name => chosen.has(name)), lists.filter(name => !chosen.has(name))]
  if (left.length === 0) return item
  const words = `its lists ${left.join(', ')}, which --only-list leaves out`
  return kept.length === 0
    ? { ...item, faults: [...item.faults, `it is only for ${words}`] }
    : { ...item, audience: { lists: kept }, notes: [...(item.notes ?? []), `without ${words}`] }
}
