// What topics there are, and what contacts decide about them. A decision is an entry of the ledger of consent, in its transaction.

import { differing, isEmpty, requireFixed } from '../../../../lib/differing'
import { badRequest, conflict, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { violates } from '../../../../platform/db/errors'
import { callHook } from '../../../../platform/hooks'
import { recordAudit } from '../../../accounts/projects'
import { type ConsentOrigin, enterTopicChanges, getContact } from '../../contacts'
import { topicUses } from '../hooks'
import type { ImportedDecision } from '../imported'
import { type CreateBody, toTopic, type UpdateBody } from '../model'
import {
  changeTopic,
  type DecidedTopic,
  deleteDecisions,
  deleteTopic,
  hasDecisions,
  holdTopicRow,
  insertTopic,
  lockTopics,
  selectDecisions,
  selectTopic,
  selectTopics,
  selectTopicsOf,
  type TopicRow,
  writeDecisions,
} from '../queries'

/** Nobody chooses among more. */
export const mostTopics = 100

/** Whose topics, and who changes them, as the audit log names it. */
interface TopicActor {
  projectId: string
  by: string
}

export async function createTopic(
  ctx: Context,
  { projectId, by }: TopicActor,
  {
    name,
    description = null,
    subscribedByDefault: byDefault = false,
    offeredOnPages: offered = true,
  }: CreateBody,
): Promise<TopicRow> {
  return await uniquely(() =>
    inTransaction(ctx, async tx => {
      await lockTopics(tx, projectId)
      if ((await selectTopics(tx, projectId)).length >= mostTopics)
        throw conflict(`A project has at most ${mostTopics} topics`)
      const now = tx.clock.now()
      const times = { archivedAt: null, createdAt: now, updatedAt: now }
      const standing = { byDefault, offered, publicArchive: false }
      const row = { id: newId(tx), projectId, name, description, ...standing, ...times }
      await insertTopic(tx, row)
      await recordAudit(tx, {
        projectId,
        actor: by,
        action: 'topic.added',
        subject: name,
        details: { byDefault, ...(offered ? {} : { offered }) },
      })
      return row
    }),
  )
}

/** 409 for the name of another one, 404 for one that is not there. */
export async function updateTopic(
  ctx: Context,
  { projectId, by }: TopicActor,
  id: string,
  { subscribedByDefault, ...given }: UpdateBody,
): Promise<TopicRow> {
  return await uniquely(() =>
    inTransaction(ctx, async tx => {
      const stored = await getTopic(tx, projectId, id)
      requireFixed({ subscribedByDefault }, toTopic(stored))
      const differs = differing(given, toTopic(stored))
      if (isEmpty(differs)) return stored
      const { archived, offeredOnPages: offered, ...named } = differs
      const archivedAt = archived ? tx.clock.now() : null
      const changes = { ...named, ...(offered === undefined ? {} : { offered }) }
      const all = archived === undefined ? changes : { ...changes, archivedAt }
      const row = await changeTopic(tx, projectId, id, all)
      if (!row) throw topicNotFound(id)
      const { publicArchive } = changes
      const settings = { archived, offered, publicArchive }
      const details = differing(settings, {}) as Record<string, boolean>
      await recordAudit(tx, { projectId, actor: by, action: 'topic.changed', subject: row.name, details })
      return row
    }),
  )
}

/** Only one that nobody decided about and nothing names: what people said about it must not be lost. */
export async function removeTopic(ctx: Context, { projectId, by }: TopicActor, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const row = isUuid(id) ? await deleteTopic(tx, projectId, id) : undefined
    if (!row) throw topicNotFound(id)
    const uses = await callHook(tx, topicUses, { projectId, topicId: row.id })
    if (uses.includes(true) || (await hasDecisions(tx, projectId, row.id)))
      throw conflict('The topic is in use', { suggestion: 'Archive it: PATCH it with "archived": true.' })
    await recordAudit(tx, { projectId, actor: by, action: 'topic.removed', subject: row.name })
  })
}

async function uniquely<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw violates(error, 'topics_name') ? conflict('Another topic has this name', { cause: error }) : error
  }
}

export async function listTopics(ctx: Context, projectId: string): Promise<TopicRow[]> {
  return await selectTopics(ctx, projectId)
}

/** The topic, or 404. */
async function getTopic(ctx: Context, projectId: string, id: string): Promise<TopicRow> {
  const row = isUuid(id) ? await selectTopic(ctx, projectId, id) : undefined
  if (!row) throw topicNotFound(id)
  return row
}

/** Keeps the topic that mail names from being deleted; 404. */
export async function holdTopic(tx: Context, projectId: string, id: string): Promise<void> {
  if (!(isUuid(id) && (await holdTopicRow(tx, projectId, id)))) throw topicNotFound(id)
}

/** The same for several, which may be named more than once. */
export async function holdTopics(tx: Context, projectId: string, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await holdTopic(tx, projectId, id)
}

/** For mail that is to name it: 404, and 400 for one that is archived. */
export async function requireOffered(ctx: Context, projectId: string, id: string): Promise<void> {
  const { archivedAt } = await getTopic(ctx, projectId, id)
  if (archivedAt) throw badRequest('The topic is archived', { suggestion: 'Choose another one.' })
}

/** All topics as they stand for a contact; 404 for one that is not there. */
export async function topicsOf(ctx: Context, projectId: string, contactId: string): Promise<DecidedTopic[]> {
  const { id } = await getContact(ctx, projectId, contactId)
  return await selectTopicsOf(ctx, projectId, id)
}

/** Whether pages offer the topic to a contact who came by a message of `messageTopicId`, if of any: what is archived or private only shows there. */
export function isOfferedTo(messageTopicId: string | null | undefined) {
  return ({ id, archivedAt, offered }: TopicRow): boolean =>
    (archivedAt === null && offered) || id === messageTopicId
}

export interface TopicDecision {
  topicId: string
  subscribed: boolean
  /** As it was read: null says that nothing has been decided. */
  decidedAt?: string | null | undefined
}

/** Whose decisions, and where they come from. */
export interface Deciding {
  projectId: string
  contactId: string
  origin: ConsentOrigin
  emailId?: string | undefined
}

/** Takes what a contact decided, the last word about each topic; returns all as they stand then, and which changed. 404 for unknown ones. */
export async function decideTopics(
  ctx: Context,
  { projectId, contactId, origin, emailId }: Deciding,
  decisions: readonly TopicDecision[],
): Promise<{ topics: DecidedTopic[]; changed: string[] }> {
  const wanted = new Map(decisions.map(({ topicId, subscribed }) => [topicId.toLowerCase(), subscribed]))
  return await inTransaction(ctx, async tx => {
    const { id } = await getContact(tx, projectId, contactId)
    // Taken before the topics are read: whoever decides at the same time waits here.
    const enter = await enterTopicChanges(tx, projectId, id)
    const before = await selectTopicsOf(tx, projectId, id)
    const putBack = new Set(before.filter(isPutBack(decisions)).map(topic => topic.id))
    const known = new Set(before.map(topic => topic.id))
    for (const topicId of wanted.keys()) if (!known.has(topicId)) throw topicNotFound(topicId)
    const asked = before.filter(topic => wanted.has(topic.id) && !putBack.has(topic.id))
    const changing = asked.filter(topic => topic.subscribed !== wanted.get(topic.id))
    await enter(
      changing.map(topic => ({
        topicId: topic.id,
        before: stateOf(topic),
        after: wanted.get(topic.id) ? 'subscribed' : 'optedOut',
      })),
      { ...origin, emailId },
    )
    const written = asked.map(topic => ({
      contactId: id,
      topicId: topic.id,
      subscribed: wanted.get(topic.id)!,
    }))
    await writeDecisions(tx, projectId, written)
    return { topics: await selectTopicsOf(tx, projectId, id), changed: changing.map(topic => topic.id) }
  })
}

/** Ids by name or id, for the columns of a file. */
export async function findTopicIds(
  ctx: Context,
  { projectId, names }: { projectId: string; names: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const topics = await selectTopics(ctx, projectId)
  const ids = new Map(topics.flatMap(({ id, name }) => [[name.trim(), id] as const, [id, id] as const]))
  return new Map(names.flatMap(name => (ids.has(name) ? [[name, ids.get(name)!] as const] : [])))
}

/** For the export of contacts: by name where a file's name for it can mean nothing else, by id otherwise. */
export async function listTopicColumns(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<{ id: string; name: string }[]> {
  const topics = await selectTopics(ctx, projectId)
  const isPlain = (name: string): boolean =>
    !isUuid(name) && name !== '' && topics.filter(each => each.name.trim() === name).length === 1
  return topics.map(({ id, name }) => ({ id, name: isPlain(name.trim()) ? name.trim() : id }))
}

export async function listDecisions(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<ImportedDecision[]> {
  return await selectDecisions(ctx, projectId, contactIds)
}

function stateOf({ subscribed, decidedAt }: DecidedTopic): 'subscribed' | 'optedOut' | 'notAsked' {
  if (subscribed) return 'subscribed'
  return decidedAt ? 'optedOut' : 'notAsked'
}

export async function eraseDecisions(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: string[] },
): Promise<void> {
  await deleteDecisions(ctx, projectId, contactIds)
}

function topicNotFound(id: string) {
  return notFound('Topic', id)
}

/** Whether a topic is given as it stands: what was read and is put back is no decision. */
function isPutBack(decisions: readonly TopicDecision[]) {
  const given = new Map(decisions.map(each => [each.topicId.toLowerCase(), each]))
  return ({ id, subscribed, decidedAt }: DecidedTopic): boolean => {
    const each = given.get(id)
    return each?.subscribed === subscribed && each.decidedAt === (decidedAt?.toISOString() ?? null)
  }
}
