// What a file says about topics, by its columns or for everybody in it, found and decided by whoever keeps topics.
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { type EnteredDecision, type SaidInFile, topicsAsked, topicsImported } from '../hooks'
import type { RowTopics } from '../import-rows'
import type { WrittenTopics } from '../queries'
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
  importId: string
  /** Of what the file says yes to. */
  agreed?: Agreement
}

/** When and where people agreed, for the log of consent. */
export type Agreement = Pick<ConsentOrigin, 'at' | 'evidence'>

export interface DecidedRows {
  /** Of each row: it holds a yes that changes nothing. */
  leftOut: boolean[]
  written: WrittenTopics[]
}

interface ImportedRow {
  said: RowTopics
  /** The row says that its contact wants no mail at all. */
  saysNo: boolean
}

/** Decides what rows say of the contacts that they became. */
export async function decideTopicsOf(
  tx: Context,
  projectId: string,
  rows: readonly ImportedRow[],
  contacts: readonly ImportedContact[],
  { ids, chosen, origin, importId, agreed = {} }: ImportedTopics,
): Promise<DecidedRows> {
  const { at, evidence } = agreed
  const decided = { ...(at && { at: new Date(at) }), ...(evidence && { evidence }) }
  const asked = rows.map(({ said, saysNo }, index): SaidInFile[] => {
    const contactId = contacts[index]!.contact.id
    const forAll = saysNo ? [] : chosen.map(topicId => ({ contactId, topicId, subscribed: true }))
    const own = said.map(({ topic, subscribed }) => ({ contactId, topicId: ids.get(topic)!, subscribed }))
    return [...forAll, ...own].map(each => (each.subscribed ? { ...each, ...decided } : each))
  })
  if (asked.every(each => each.length === 0)) return { leftOut: rows.map(() => false), written: [] }
  const answers = await callHook(tx, topicsImported, { projectId, said: asked.flat(), origin, importId })
  const leftOut = new Set(answers.flatMap(answer => answer.leftOut))
  return {
    leftOut: asked.map(said => said.some(each => leftOut.has(each))),
    written: byContact(answers.flatMap(answer => answer.written)),
  }
}

function byContact(decisions: readonly EnteredDecision[]): WrittenTopics[] {
  const all = new Map<string, WrittenTopics>()
  for (const { contactId, topicId, isEntered, ...decision } of decisions) {
    const one = all.get(contactId) ?? { contactId, entered: 0, topics: {} }
    one.topics[topicId] = decision
    if (isEntered) one.entered++
    all.set(contactId, one)
  }
  return [...all.values()]
}
