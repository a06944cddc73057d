// What files and other programs say about topics, for many contacts at once; and taking that back.
import { type Context, inTransaction } from '../../../../platform/context'
import {
  type ConsentOrigin,
  type EnteredDecision,
  enterTopicChangesOfMany,
  type WrittenDecision,
} from '../../contacts'
import { decideImported, decisionKey, type ImportedDecision, type ImportedDecisions } from '../imported'
import {
  type DatedDecision,
  putDecisionsBack,
  selectDecisions,
  selectTopics,
  writeDecisions,
} from '../queries'

interface Importing {
  /** Of those given. */
  written: ImportedDecision[]
  /** The moment that is stored with one of them. */
  storedAt(decision: ImportedDecision): Date
  leftOut: ImportedDecisions['leftOut']
  /** Those that change what a contact gets, by `decisionKey`. */
  entered: ReadonlySet<string>
  before: ReadonlyMap<string, DatedDecision>
}

/** What a file or another program says, for many at once; returns what of it holds now, each yes that does not, and what was decided before, by `decisionKey`. */
export async function importDecisions(
  ctx: Context,
  projectId: string,
  asked: readonly ImportedDecision[],
  {
    origin = { source: 'import' },
    importId,
  }: { origin?: ConsentOrigin | undefined; importId?: string | undefined } = {},
): Promise<Importing> {
  if (asked.length === 0)
    return {
      written: [],
      storedAt: () => ctx.clock.now(),
      leftOut: new Set(),
      entered: new Set(),
      before: new Map(),
    }
  return await inTransaction(ctx, async tx => {
    const contactIds = [...new Set(asked.map(({ contactId }) => contactId))]
    // Locked before decisions are read: whoever decides at the same time waits here.
    const { locked, enter } = await enterTopicChangesOfMany(tx, projectId, contactIds, importId)
    const before = await selectDecisions(tx, projectId, contactIds)
    const topics = await selectTopics(tx, projectId)
    const there = new Set(locked.map(({ id }) => id))
    const { written, changes, leftOut } = decideImported(
      asked.filter(({ contactId }) => there.has(contactId)),
      {
        open: new Set(locked.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))),
        decided: new Map(before.map(each => [decisionKey(each), each.subscribed])),
        defaults: new Map(topics.map(({ id, byDefault }) => [id, byDefault])),
        held: new Set(locked.flatMap(({ id, isHeld }) => (isHeld ? [id] : []))),
      },
    )
    // One moment for what is stored and what is answered: undoing compares them.
    const now = tx.clock.now()
    const storedAt = ({ at }: ImportedDecision): Date => (at && at < now ? at : now)
    const dated = written.map(each => ({ ...each, at: storedAt(each) }))
    await writeDecisions(tx, projectId, dated)
    await enter(changes, origin)
    return {
      ...{ written, storedAt, leftOut, entered: new Set(changes.map(decisionKey)) },
      before: new Map(before.map(each => [decisionKey(each), each])),
    }
  })
}

/** For contacts, which may not know topics. */
export async function takeImported(
  tx: Context,
  given: {
    projectId: string
    said: readonly ImportedDecision[]
    origin?: ConsentOrigin | undefined
    importId?: string | undefined
  },
): Promise<{ leftOut: ImportedDecision[]; written: EnteredDecision[] }> {
  const { leftOut, written, storedAt, entered, before } = await importDecisions(
    tx,
    given.projectId,
    given.said,
    given,
  )
  return {
    leftOut: given.said.filter(each => each.subscribed && leftOut.has(decisionKey(each))),
    written: written.map(decision => {
      const earlier = before.get(decisionKey(decision))
      return {
        ...{ contactId: decision.contactId, topicId: decision.topicId },
        ...{ is: decision.subscribed, isAt: storedAt(decision).toISOString() },
        ...{ was: earlier?.subscribed ?? null, wasAt: earlier?.decidedAt.toISOString() ?? null },
        isEntered: entered.has(decisionKey(decision)),
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
  // A no that was said again stays as new as it is, or undoing an earlier import would find its own no untouched.
  await putDecisionsBack(
    tx,
    projectId,
    restored.filter(({ was, is }) => was !== false || is),
  )
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
