// Use cases of templates: what is saved has been checked whole (required members, syntax, sender), so that sending can trust it.
import { isEmail, normaliseEmail } from '../../lib/address'
import { AppError, type FieldError, invalid, notFound, shortBadRequest } from '../../lib/errors'
import { type Context, newId } from '../../platform/context'
import { requireVerifiedSender } from '../domains/service'
import { checkSyntax } from './liquid'
import type { CreateBody } from './model'
import { findTemplate, insertTemplate, type TemplateRow } from './queries'

const required: Array<[keyof CreateBody, string]> = [
  ['name', 'Name is required'],
  ['subject', 'Subject is required'],
  ['body', 'Body is required'],
  ['from', 'From address is required'],
]

/** 400 short form for a missing member, 422 for a faulty one, 400 with the place for a syntax error, 403 for the sender. */
export async function createTemplate(
  ctx: Context,
  projectId: string,
  body: CreateBody,
): Promise<TemplateRow> {
  for (const [member, message] of required) if (!body[member]) throw shortBadRequest(message)
  const from = normaliseEmail(body.from!)
  const replyTo = body.replyTo ? normaliseEmail(body.replyTo) : null
  refuseFaults(body, from, replyTo)
  refuseSyntax('subject', body.subject!)
  refuseSyntax('body', body.body!)
  await requireVerifiedSender(ctx, projectId, from)
  const now = ctx.clock.now()
  const row: TemplateRow = {
    id: newId(ctx),
    projectId,
    name: body.name!,
    description: body.description ?? null,
    subject: body.subject!,
    body: body.body!,
    fromEmail: from,
    fromName: body.fromName ?? null,
    replyTo,
    type: body.type ?? 'MARKETING',
    createdAt: now,
    updatedAt: now,
  }
  await insertTemplate(ctx, row)
  return row
}

function refuseFaults(body: CreateBody, from: string, replyTo: string | null): void {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string): void =>
    void errors.push({ field, message, code: 'invalid_string' })
  if (!isEmail(from)) refuse('from', 'must be an e-mail address')
  if (replyTo !== null && !isEmail(replyTo)) refuse('replyTo', 'must be an e-mail address')
  for (const field of ['subject', 'fromName'] as const)
    if (/[\r\n]/.test(body[field] ?? '')) refuse(field, 'must not contain line breaks')
  if (errors.length > 0) throw invalid(errors)
}

function refuseSyntax(field: string, source: string): void {
  const fault = checkSyntax(source, field)
  if (!fault) return
  const { line, column } = fault
  throw new AppError(400, 'VALIDATION_ERROR', fault.message, { details: { field, line, column } })
}

/** 404 for an id of another project, too. */
export async function requireTemplate(ctx: Context, projectId: string, id: string): Promise<TemplateRow> {
  const row = await findTemplate(ctx, projectId, id)
  if (!row) throw notFound('Template', id, 'TEMPLATE_NOT_FOUND')
  return row
}
