// What is read in a browser, without what measures opens and clicks: the message behind the link in it, as its recipient got it; and the public archive
// of a topic.
import { AppError } from '../../lib/errors'
import { isUuid } from '../../lib/ids'
import type { Context } from '../../platform/context'
import { archivedContent, archivedSubjects, pageOfArchived } from '../campaigns'
import { getEmail, projectOfView } from '../emails'
import { type PublicTopic, selectPublicTopic } from './queries'

export interface ReadableMessage {
  subject: string
  html: string
  text: string
}

/** Undefined for a false link, and for a message that is gone, was erased, or whose content is no longer kept. */
export async function findMessage(
  ctx: Context,
  id: string,
  token: string,
): Promise<ReadableMessage | undefined> {
  const projectId = isUuid(id) ? projectOfView(ctx.vault, id.toLowerCase(), token) : undefined
  if (projectId === undefined) return undefined
  try {
    const { email } = await getEmail(ctx, projectId, id)
    const { subject, html, text } = email
    return html === '' && text === '' ? undefined : { subject, html, text }
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

/** The topic of a public archive. */
export async function findArchive(
  ctx: Context,
  projectId: string,
  topicId: string,
): Promise<PublicTopic | undefined> {
  return isUuid(projectId) && isUuid(topicId) ? await selectPublicTopic(ctx, projectId, topicId) : undefined
}

export interface ArchiveEntry {
  id: string
  subject: string
  sentAt: Date
}

const pageSize = 20

/** Newest first; `more`: where the next page begins. */
export async function listArchive(
  ctx: Context,
  topic: PublicTopic,
  behind?: { sentAt: Date; id: string },
): Promise<{ entries: ArchiveEntry[]; more: ArchiveEntry | undefined }> {
  const place = { projectId: topic.projectId, topicId: topic.id }
  const rows = await pageOfArchived(ctx, place, { behind, limit: pageSize + 1 })
  const page = rows.slice(0, pageSize)
  const subjects = await archivedSubjects(ctx, page)
  const entries = page.map(({ id, sentAt }, index) => ({ id, sentAt, subject: subjects[index]! }))
  return { entries, more: rows.length > pageSize ? entries.at(-1) : undefined }
}

export async function findArchivedMessage(
  ctx: Context,
  topic: PublicTopic,
  campaignId: string,
): Promise<ReadableMessage | undefined> {
  if (!isUuid(campaignId)) return undefined
  return await archivedContent(ctx, { projectId: topic.projectId, topicId: topic.id }, campaignId)
}
