// Writes new messages into the email log, many in one statement.

import type { Allocate } from '../../../../lib/arena'
import { bufferWithHeadroom } from '../../../../lib/headroom'
import { copyPieces } from '../../../../lib/join'
import type { Context } from '../../../../platform/context'
import { insertRows } from '../../../../platform/db/insert-rows'
import { largeWorkOf } from '../../../../platform/large-work'
import type { Reasoned } from '../../../../platform/transports/reason'
import { whySuppressed } from '../../../audience/suppressions'
import { addresseesOf, type StoredCopy } from '../copies'
import type { DayChange } from '../days'
import type { StoredAttachment } from '../due-email'
import { emails, type MailClass, type Metadata, type SourceType } from '../schema'
import type { TroubleKind } from '../search'
import { isOwnSimulator } from '../simulator'
import { insertedDays } from './days'

export interface NewEmail extends Reasoned {
  id: string
  projectId: string
  contactId: string
  sourceType: SourceType
  mailClass: MailClass
  templateId: string | null
  /** Set where a workflow sends it. */
  workflowExecutionId?: string
  /** Leaves only while the contact wants this topic. */
  topicId?: string | null
  /** Hops of the events that it will cause. */
  hops?: number
  toEmail: string
  toName: string | null
  /** Goes to the address that the contact has when it is sent. */
  followsContact?: boolean
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  subject: string
  html: string
  text: string
  headers: Record<string, string>
  attachmentSet: string | null
  /** It is these bytes. */
  submittedSet?: string | null
  copies?: StoredCopy[]
  tags?: string[]
  metadata?: Metadata
  /** Set where it is to leave later. */
  scheduledFor?: Date
  /** The request's own choice about measuring opens and clicks. */
  tracking?: boolean
  /** Links that came with values: they are not tracked. */
  givenLinks?: string[]
  messageId: string
  status: 'PENDING' | 'FAILED'
}

/** Columns that every message fills. */
const plainNames = [
  'id',
  'projectId',
  'contactId',
  'sourceType',
  'mailClass',
  'templateId',
  'toEmail',
  'toName',
  'fromEmail',
  'fromName',
  'replyTo',
  'subject',
  'html',
  'text',
  'headers',
  'tracking',
  'messageId',
  'status',
  'createdAt',
  'updatedAt',
] as const

/** Columns that few fill: each costs the server time, even where no row has it. */
const rareNames = [
  'followsContact',
  'workflowExecutionId',
  'topicId',
  'hops',
  'attachmentSet',
  'submittedSet',
  'copies',
  'tags',
  'metadata',
  'scheduledFor',
  'givenLinks',
  'reason',
  'reasonDetail',
] as const

const allNames = [...plainNames, ...rareNames] as const

/** Inserts rows and counts them, in one statement. */
export async function insertEmails(ctx: Context, rows: NewEmail[]): Promise<void> {
  const now = ctx.clock.now()
  const made = rows.map(row => ({ ...row, createdAt: now, updatedAt: now }))
  const isPlain = rows.every(row => rareNames.every(name => row[name] == null))
  const inserted = isPlain
    ? insertRows(ctx, emails, plainNames, made)
    : insertRows(ctx, emails, allNames, made)
  const changes = rows.map(row => createdChange(row, now))
  await ctx.sql`
    with counted as (${insertedDays(ctx, changes)}) ${insertedTroubles(ctx, rows)}
    ${inserted}`
}

/** A further common table expression for rows that have failed from the start, where there are any. */
function insertedTroubles({ sql }: Context, rows: readonly NewEmail[]) {
  const failed = rows.filter(row => row.status === 'FAILED')
  if (failed.length === 0) return sql``
  return sql`, troubled as (
    insert into email_troubles (project_id, email_id, kind)
    select * from unnest(${failed.map(row => row.projectId)}::uuid[], ${failed.map(row => row.id)}::uuid[],
                         ${failed.map(troubleOfNew)}::text[]))`
}

function troubleOfNew({ reason }: NewEmail): TroubleKind {
  return reason === 'suppressed' ? 'suppressed' : 'failed'
}

function createdChange({ status, ...row }: NewEmail, createdAt: Date): DayChange {
  const hasFailed = status === 'FAILED'
  const used = hasFailed || isOwnSimulator(row.toEmail) ? 0 : addresseesOf(row.copies)
  return { ...row, createdAt, created: 1, failed: hasFailed ? 1 : 0, used }
}

export interface NewAttachment {
  setId: string
  position: number
  filename: string
  contentType: string
  contentId: string | null
  disposition: 'attachment' | 'inline'
  size: number
  /** Base64 without white space. */
  content: string
}

export async function insertAttachments(
  ctx: Context,
  projectId: string,
  rows: NewAttachment[],
): Promise<void> {
  await ctx.sql`
    insert into attachments (set_id, position, project_id, filename, content_type, content_id, disposition, size, content,
                             created_at)
    select r."setId", r.position, ${projectId}::uuid, r.filename, r."contentType", r."contentId", r.disposition, r.size,
           decode(r.content, 'base64'), ${ctx.clock.now()}
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
           "setId" uuid, position int, filename text, "contentType" text, "contentId" text, disposition text, size int,
           content text)`
}

/** Of messages and files, so much is written or read at a time: the driver holds up the event loop for 150 ms for 40 MB. */
export const contentPiece = 512 * 1024

/** A message that came finished, or a piece of it, kept where files are. */
export async function insertSubmitted(
  ctx: Context,
  projectId: string,
  setId: string,
  bytes: Uint8Array,
  position = 0,
): Promise<void> {
  await ctx.sql`
    insert into attachments (set_id, position, project_id, filename, content_type, disposition, size, content, created_at)
    values (${setId}::uuid, ${position}::int, ${projectId}::uuid, 'message.eml', 'message/rfc822', 'attachment', ${bytes.length}::int,
            ${bytes}::bytea, ${ctx.clock.now()}::timestamptz)`
}

/** All pieces of one that was not accepted. */
export async function deleteSubmitted(ctx: Context, projectId: string, setId: string): Promise<void> {
  await ctx.sql`delete from attachments where project_id = ${projectId}::uuid and set_id = ${setId}::uuid`
}

export async function findAttachments(ctx: Context, setId: string): Promise<StoredAttachment[]> {
  type Row = Omit<StoredAttachment, 'content'> & { position: number; size: number; content: Buffer | null }
  const rows = await ctx.sql<Row[]>`
    select filename, content_type as "contentType", content_id as "contentId", disposition, position, size,
           case when size <= ${contentPiece}::int then content end as content
      from attachments where set_id = ${setId}::uuid order by position`
  const files: StoredAttachment[] = []
  for (const { position, size, content, ...file } of rows)
    files.push({ ...file, content: content ?? (await readContent(ctx, setId, [{ position, size }])) })
  return files
}

/** The bytes of a message that came finished; undefined once they, or the first of them, are no longer kept. */
export async function findSubmitted(ctx: Context, setId: string): Promise<Buffer | undefined> {
  const pieces = await ctx.sql<StoredPiece[]>`
    select position, size from attachments where set_id = ${setId}::uuid order by position`
  return pieces[0]?.position !== 0 ? undefined : await readContent(ctx, setId, pieces, bufferWithHeadroom)
}

interface StoredPiece {
  position: number
  size: number
}

async function readContent(
  ctx: Context,
  setId: string,
  pieces: readonly StoredPiece[],
  allocate: Allocate = Buffer.allocUnsafeSlow,
): Promise<Buffer> {
  const length = pieces.reduce((sum, { size }) => sum + size, 0)
  if (length <= contentPiece && pieces.length === 1) return await readPiece(ctx, setId, pieces[0]!.position)
  const { store, throttle } = largeWorkOf(ctx)
  const whole = allocate(length)
  let at = 0
  for (const { position, size } of pieces)
    for (let from = 0; from < size; from += contentPiece) {
      const content = await store(() => readPiece(ctx, setId, position, from))
      await copyPieces(content, whole, at, throttle)
      at += content.length
    }
  return whole
}

async function readPiece(ctx: Context, setId: string, position: number, from = 0): Promise<Buffer> {
  const [piece] = await ctx.sql<{ content: Buffer }[]>`
    select substring(content from ${from + 1}::int for ${contentPiece}::int) as content
      from attachments where set_id = ${setId}::uuid and position = ${position}::int`
  if (!piece) throw new Error('the bytes were deleted while they were read')
  return piece.content
}

/** Which of the Message-IDs a message of the project has, or names a message of this instance. */
export async function findTakenMessageIds(
  ctx: Context,
  asked: ReadonlyArray<{ projectId: string; messageId: string; emailId: string | undefined }>,
): Promise<Array<{ projectId: string; messageId: string }>> {
  return await ctx.sql<Array<{ projectId: string; messageId: string }>>`
    select a.project_id as "projectId", a.message_id as "messageId"
      from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.messageId)}::text[],
                  ${asked.map(one => one.emailId ?? null)}::uuid[]) as a(project_id, message_id, email_id)
     where exists (select from emails e where e.project_id = a.project_id and e.message_id = a.message_id
                                          and e.submitted_set is not null)
        or exists (select from emails e where e.id = a.email_id)`
}

/** Which of the addresses are suppressed in their project, with the reason. */
export async function findSuppressed(
  ctx: Context,
  asked: ReadonlyArray<{ projectId: string; email: string }>,
): Promise<Array<{ projectId: string; email: string; reason: string }>> {
  const of = { projectId: ctx.sql`a.project_id`, email: ctx.sql`a.email` }
  return await ctx.sql<Array<{ projectId: string; email: string; reason: string }>>`
    select a.project_id as "projectId", a.email, w.reason
      from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.email)}::text[]) as a(project_id, email)
     cross join lateral (select ${whySuppressed(ctx, of)} as reason) w
     where w.reason is not null`
}
