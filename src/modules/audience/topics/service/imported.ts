// What files and other programs say about topics, for many contacts at once; and taking that back.
import { type Context, inTransaction } from '../../../../platform/context'
import { type ConsentOrigin, enterTopicChangesOfMany, type WrittenDecision } from '../../contacts'
import { decideImported, decisionKey, type ImportedDecision, type ImportedDecisions } from '../imported'
import {
  type DatedDecision,
  putDecisionsBack,
  selectDecisions,
  selectTopics,
  writeDecisions,
} from '../queries'

/** What a file or another program says, for many at once; returns what of it holds now, each yes that does not, and what was decided before, by `decisionKey`. */
export async function importDecisions(
  ctx: Context,
  projectId: string,
  asked: readonly ImportedDecision[],
  origin: ConsentOrigin = { source: 'import' },
): Promise<Pick<ImportedDecisions, 'written' | 'leftOut'> & { before: Map<string, DatedDecision> }> {
  if (asked.length === 0) return { written: [], leftOut: new Set(), before: new Map() }
  return await inTransaction(ctx, async tx => {
    const contactIds = [...new Set(asked.map(({ contactId }) => contactId))]
    // Locked before decisions are read: whoever decides at the same time waits here.
    const { locked, enter } = await enterTopicChangesOfMany(tx, projectId, contactIds)
    const before = await selectDecisions(tx, projectId, contactIds)
    const topics = await selectTopics(tx, projectId)
    const there = new Set(locked.map(({ id }) => id))
    const { written, changes, leftOut } = decideImported(
      asked.filter(({ contactId }) => there.has(contactId)),
      {
        open: new Set(locked.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))),
        decided: new Map(before.map(each => [decisionKey(each), each.subscribed])),
        defaults: new Map(topics.map(({ id, byDefault }) => [id, byDefault])),
      },
    )
    await writeDecisions(tx, projectId, written)
    await enter(changes, origin)
    return { written, leftOut, before: new Map(before.map(each => [decisionKey(each), each])) }
  })
}

/** For contacts, which may not know topics. */
export async function takeImported(
  tx: Context,
  given: { projectId: string; said: readonly ImportedDecision[]; origin?: ConsentOrigin | undefined },
): Promise<{ leftOut: ImportedDecision[]; written: WrittenDecision[] }> {
  const { leftOut, written, before } = await importDecisions(tx, given.projectId, given.said, given.origin)
  const now = tx.clock.now()
  return {
    leftOut: given.said.filter(each => each.subscribed && leftOut.has(decisionKey(each))),
    written: written.map(decision => {
      const earlier = before.get(decisionKey(decision))
      return {
        ...{ contactId: decision.contactId, topicId: decision.topicId },
        ...{ is: decision.subscribed, isAt: (decision.at ?? now).toISOString() },
        ...{ was: earlier?.subscribed ?? null, wasAt: earlier?.decidedAt.toISOString() ?? null },
      }
    }),
  }
}

/** For contacts: takes decisions of a file back, where nobody has decided since; returns the contacts for whom somebody has. */
export async function restoreDecisions(
  tx: Context,
  given: { projectId: string; decisions: readonly WrittenDecision[]; origin: ConsentOrigin },
): Promise<string[]> {
  const { projectId, decisions, origin } = given
  const contactIds = [...new Set(decisions.map(({ contactId }) => contactId))]
  const { locked, enter } = await enterTopicChangesOfMany(tx, projectId, contactIds)
  const there = new Set(locked.map(({ id }) => id))
  const before = new Map(
    (await selectDecisions(tx, projectId, contactIds)).map(each => [decisionKey(each), each]),
  )
  const defaults = new Map((await selectTopics(tx, projectId)).map(({ id, byDefault }) => [id, byDefault]))
  const isUntouched = (each: WrittenDecision): boolean => {
    const now = before.get(decisionKey(each))
    return now?.subscribed === each.is && now.decidedAt.toISOString() === each.isAt
  }
  const known = decisions.filter(({ contactId, topicId }) => there.has(contactId) && defaults.has(topicId))
  const restored = known.filter(isUntouched)
  await putDecisionsBack(tx, projectId, restored)
  const changes = restored.flatMap(({ contactId, topicId, was, is }) => {
    const wanted = was ?? defaults.get(topicId) === true
    if (wanted === is) return []
    const after = wanted
      ? ('subscribed' as const)
      : was === false
        ? ('optedOut' as const)
        : ('notAsked' as const)
    return [{ contactId, topicId, before: is ? ('subscribed' as const) : ('optedOut' as const), after }]
  })
  await enter(changes, origin)
  return [...new Set(known.filter(each => !isUntouched(each)).map(({ contactId }) => contactId))]
}
