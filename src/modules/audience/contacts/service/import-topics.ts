// What a file says about topics, by its columns or for everybody in it, found and decided by whoever keeps topics.
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { type SaidInFile, topicsAsked, topicsImported } from '../hooks'
import type { RowTopics } from '../import-rows'
import type { ConsentOrigin } from '../schema'
import type { ImportedContact } from './import-apply'

/** Ids by the names given; what the project does not have is missing. */
export async function findTopicsNamed(
  ctx: Context,
  projectId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const found = await callHook(ctx, topicsAsked, { projectId, names })
  return new Map(found.flatMap(each => [...each]))
}

export interface ImportedTopics {
  /** Of the columns, by what the header calls them. */
  ids: ReadonlyMap<string, string>
  /** That everybody in the file wants who is not said to want nothing. */
  chosen: readonly string[]
  origin?: ConsentOrigin | undefined
}

interface ImportedRow {
  said: RowTopics
  /** The row says that its contact wants no mail at all. */
  saysNo: boolean
}

/** Decides what rows say of the contacts that they became; answers which of those rows hold a yes that changes nothing. */
export async function decideTopicsOf(
  tx: Context,
  projectId: string,
  rows: readonly ImportedRow[],
  contacts: readonly ImportedContact[],
  { ids, chosen, origin }: ImportedTopics,
): Promise<boolean[]> {
  const asked = rows.map(({ said, saysNo }, index): SaidInFile[] => {
    const contactId = contacts[index]!.contact.id
    const forAll = saysNo ? [] : chosen.map(topicId => ({ contactId, topicId, subscribed: true }))
    const own = said.map(({ topic, subscribed }) => ({ contactId, topicId: ids.get(topic)!, subscribed }))
    return [...forAll, ...own]
  })
  if (asked.every(each => each.length === 0)) return rows.map(() => false)
  const answers = await callHook(tx, topicsImported, { projectId, said: asked.flat(), origin })
  const leftOut = new Set(answers.flat())
  return asked.map(said => said.some(each => leftOut.has(each)))
}
