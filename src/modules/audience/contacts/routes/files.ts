// Contacts as files: CSV in, by a job, and CSV out, as a stream.

import { Elysia } from 'elysia'
import { csvLimit, payloadTooLarge } from '../../../../http/body-limit'
import { typedFiles } from '../../../../http/form-parts'
import { answer } from '../../../../http/openapi/media'
import { requestInfo } from '../../../../http/request-id'
import { streamOf } from '../../../../http/stream'
import { badRequest } from '../../../../lib/errors'
import { downloadAs } from '../../../../lib/file-name'
import { after, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { liveRule, projectAccess } from '../../../accounts/projects'
import { consentOrigin } from '../consent'
import { readContactListing } from '../listing'
import {
  exportDescription,
  exportQuery,
  type ImportBody,
  importAnswer,
  importBody,
  jobParams,
  queuedAnswer,
  toImport,
} from '../model'
import { type CellType, cellTypes, type ImportOptions } from '../schema'
import { exportContacts, getImport, requireImportRoom, startImport, undoImport } from '../service'

export function fileRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'] })
    .use(projectAccess(ctx))
    .post(
      '/import',
      async ({ access, body, request, status }) => {
        const by = consentOrigin(ctx, access, request)
        const file = await readUpload(body.file)
        const topics = readTopicIds(body.topics)
        const columns = readColumns(body.columns)
        const options = readOptions(body, ctx.clock.now())
        const choices = { by, topics, columns, options, rule: liveRule(access) }
        const jobId = await startImport(ctx, access.project.id, file, choices)
        return status(202, { message: 'The file is queued to be imported', jobId })
      },
      {
        scope: 'write',
        parse: async input => {
          // Five megabytes that are refused are not received either.
          const { projectId } = requestInfo(input.request)
          if (projectId) await requireImportRoom(ctx, projectId)
          return await typedFiles(input)
        },
        body: importBody,
        response: { 202: queuedAnswer },
        detail: {
          summary: 'Import contacts from a CSV file',
          description:
            'The file needs a column `email`; `subscribed`, `optedOutAt`, `suppressed` and `topic:<name>` are optional, and any other column becomes a field. A job reads the file: ask for its state with the `jobId` of the answer. At most 5 MB; a yes in the file subscribes nobody who opted out.',
          errors: [404],
        },
      },
    )
    .get(
      '/import/:jobId',
      async ({ access, params }) => toImport(await getImport(ctx, access.project.id, params.jobId)),
      {
        scope: 'read',
        params: jobParams,
        response: importAnswer,
        detail: {
          summary: 'State of an import',
          description:
            '`result` counts the rows that were created, updated and refused, and lists the refused ones with the reason. The record is kept for thirty days.',
        },
      },
    )
    .post(
      '/import/:jobId/undo',
      async ({ access, params, request, status }) => {
        await undoImport(ctx, access.project.id, params.jobId, consentOrigin(ctx, access, request))
        return status(202, {
          message: 'The import is being undone',
          jobId: params.jobId.toLowerCase(),
        })
      },
      {
        scope: 'write',
        params: jobParams,
        response: { 202: queuedAnswer },
        detail: {
          summary: 'Undo an import',
          description:
            'Deletes the contacts that the import created, and restores fields, subscriptions, and topics of the others. What changed since is kept, and so are contacts with an email, event, form, or workflow run. Suppressed addresses and members of a segment stay. Possible until an hour after the end of the import; one that is still running is stopped first. If a later import has some of the same contacts, undo the later one first (409). `undo` of the import has the progress.',
          addition: true,
          errors: [404, 409],
        },
      },
    )
    .get(
      '/export',
      ({ access, query, set }) => {
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = downloadAs(['contacts'], ctx.clock.now(), 'csv')
        const withConsent = query.consent === 'true'
        return streamOf(exportContacts(ctx, access.project.id, readContactListing(query), { withConsent }))
      },
      {
        scope: 'read',
        query: exportQuery,
        detail: {
          summary: 'All contacts that match the filters, as CSV',
          description: exportDescription,
          addition: true,
          responses: { 200: answer('A header row, and a row for each contact', 'text/csv') },
        },
      },
    )
}

function readTopicIds(text = ''): string[] {
  const ids = text.split(',').map(id => id.trim().toLowerCase())
  return [...new Set(ids.filter(id => id !== ''))]
}

function readColumns(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  try {
    const columns: unknown = JSON.parse(text)
    if (Array.isArray(columns) && columns.every((each): each is string => typeof each === 'string'))
      return columns
  } catch {}
  throw badRequest('The part "columns" must be a JSON list of headings, such as ["email", "name", ""]')
}

function readOptions(body: ImportBody, now: Date): Partial<ImportOptions> {
  const { existing, misfits, consent, consentDate = null, segmentId } = body
  if (consentDate !== null) requirePast(consentDate, now)
  return {
    types: readTypes(body.types),
    skipsMisfits: misfits === 'skip',
    ...(existing && { existing }),
    subscribes: consent !== 'none',
    consentSource: body.consentSource?.trim() || null,
    consentDate,
    segmentId: segmentId ?? null,
  }
}

/** By the calendar of wherever the day has come already. */
function requirePast(date: string, now: Date): void {
  const today = after(now, 14 * hour)
    .toISOString()
    .slice(0, 10)
  if (date > today) throw badRequest('The consent date must not be in the future')
  if (date < '1900-01-01') throw badRequest('The consent date must not be before 1900')
}

function readTypes(text: string | undefined): Array<CellType | ''> {
  if (text === undefined) return []
  const known: ReadonlySet<unknown> = new Set([...cellTypes, ''])
  try {
    const types: unknown = JSON.parse(text)
    if (Array.isArray(types) && types.every((each): each is CellType | '' => known.has(each))) return types
  } catch {}
  throw badRequest(
    `The part "types" must be a JSON list with ${cellTypes.join(', ')} or an empty string for each column`,
  )
}

async function readUpload(file: File | undefined) {
  if (!file) throw badRequest('The part "file" with the CSV is missing')
  if (file.size > csvLimit) throw payloadTooLarge(csvLimit)
  return { name: file.name ?? '', type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
}
