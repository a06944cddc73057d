// `--only-list NAME`: which lists of a source become topics and segments. Everybody is still imported, and what they said of all lists counts
// for their subscription.
import type { ContentItem, ImportSource, Outlook, SourceRecord } from './record'
import { SourceFault } from './record'

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
