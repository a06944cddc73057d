// A message as one recipient would see it, made by the renderer that sends, and what may be wrong with it.

import { invalid, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { createTemplateCache } from '../../../../liquid/cache'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { deadLinks } from '../../../../platform/transports/dead-links'
import { selectContactCounts, selectFieldCounts } from '../../../audience/contacts'
import { type Content, hasFooter, listLinks, mailClassOf, renderContent, testRecipient } from '../../emails'
import { marketingFooter } from '../../preferences'
import { messageFaults } from '../faults'
import { joinLayout } from '../joined'
import type { LayoutPreviewBody } from '../layout-model'
import type { PreviewBody } from '../model'
import { findPreviewContact, type PreviewContact } from '../queries'
import type { TemplateType } from '../schema'
import { buildScope } from '../variables'
import { type KnownFields, templateWarnings, type Warning } from '../warnings'
import { findLayoutBody, inBrand, refuseFaultyLayout, refuseNoRoom, requireLayout } from './layouts'
import { requireTemplate } from './read'
import { renderOnRequest } from './render'
import { refuseBrokenSyntax } from './syntax'

export interface PreviewRequest {
  subject: string
  body: string
  type: TemplateType
  /** The body of the layout that it is put into. */
  layout?: string
  /** A contact of the project, or an invented one with `data`. */
  contactId?: string
  data?: Record<string, unknown>
}

export interface PreviewProject {
  id: string
  name: string
  language: string
}

export interface Preview extends Content {
  warnings: Warning[]
}

/** Previews come in bursts, while somebody writes; a small memory of their own keeps them out of the way of sending. */
const cacheOf = perContext(() => createTemplateCache(4 * 1024 * 1024))

const nobody = testRecipient

/** 400 with the place for broken syntax, 404 for an unknown contact. */
export async function previewMessage(
  ctx: Context,
  project: PreviewProject,
  request: PreviewRequest,
): Promise<Preview> {
  const faults = messageFaults({ subject: request.subject })
  if (faults.length > 0) throw invalid(faults)
  await refuseBrokenSyntax(project.id, request)
  const whole = joined(request)
  const message = { ...whole, body: await inBrand(ctx, project.id, whole.body) }
  const contact = await previewContact(ctx, project.id, request)
  const content = await renderOnRequest(ctx, project.id, () => renderPreview(ctx, project, message, contact))
  const known = await knownFields(ctx, project.id)
  const warnings = templateWarnings(message, known, Object.keys(request.data ?? {}))
  return { ...content, warnings: [...warnings, ...linkWarnings(ctx)] }
}

/** Once each is readable by itself, they are so together. */
function joined(request: PreviewRequest): PreviewRequest {
  const { layout, body } = request
  if (!layout) return request
  refuseNoRoom(body, layout)
  return { ...request, body: joinLayout(layout, body) }
}

async function knownFields(ctx: Context, projectId: string): Promise<KnownFields> {
  const [{ contacts }, fields] = await Promise.all([
    selectContactCounts(ctx, projectId),
    selectFieldCounts(ctx, projectId),
  ])
  return { contacts, fields: new Map(fields.map(field => [field.name, field.contacts])) }
}

/** About the instance and not the message, but whoever sends it is the one who has to know. */
function linkWarnings({ config }: Context): Warning[] {
  const words = deadLinks(config)
  return words ? [{ code: 'dead_links', message: `${words[0]!.toUpperCase()}${words.slice(1)}` }] : []
}

/** Of a saved template, or of what is being written; members of the request take precedence over those of the template that it names. */
export async function previewTemplate(
  ctx: Context,
  project: PreviewProject,
  { templateId, subject, body, type, layoutId, contactId, data }: PreviewBody,
): Promise<Preview> {
  const template = templateId ? await requireTemplate(ctx, project.id, templateId) : undefined
  const source = body ?? template?.body
  if (source === undefined) throw invalid([{ field: 'body', message: 'Required', code: 'invalid_type' }])
  const layout = layoutId
    ? (await requireLayout(ctx, project.id, layoutId)).body
    : await findLayoutBody(ctx, project.id, layoutId === undefined ? template?.layoutId : null)
  return previewMessage(ctx, project, {
    subject: subject ?? template?.subject ?? '',
    body: source,
    type: type ?? template?.type ?? 'MARKETING',
    ...(layout ? { layout } : {}),
    ...(contactId ? { contactId } : {}),
    ...(data ? { data } : {}),
  })
}

const words = '<h1>A heading</h1>\n<p>The text of a mail goes here.</p>'

/** Of a layout that is being written. */
export async function previewLayout(
  ctx: Context,
  project: PreviewProject,
  { body: layout, content: body = words, type = 'MARKETING', contactId, data }: LayoutPreviewBody,
): Promise<Preview> {
  await refuseFaultyLayout(project.id, layout)
  const example = { ...(contactId ? { contactId } : {}), ...(data ? { data } : {}) }
  return previewMessage(ctx, project, { subject: '', body, type, layout, ...example })
}

async function previewContact(
  ctx: Context,
  projectId: string,
  { contactId }: PreviewRequest,
): Promise<PreviewContact> {
  if (contactId === undefined) return { id: nobody, email: 'someone@example.com', subscribed: true, data: {} }
  const contact = isUuid(contactId) ? await findPreviewContact(ctx, projectId, contactId) : undefined
  if (!contact) throw notFound('Contact', contactId, 'CONTACT_NOT_FOUND')
  return contact
}

function renderPreview(
  ctx: Context,
  project: PreviewProject,
  { subject, body, type, data }: PreviewRequest,
  contact: PreviewContact,
): Content {
  const links = listLinks(
    ctx.vault,
    ctx.config.baseUrl,
    { projectId: project.id, contactId: contact.id },
    nobody,
  )
  const mailClass = mailClassOf(type, type === 'TRANSACTIONAL' ? 'TRANSACTIONAL' : 'CAMPAIGN')
  const scope = buildScope({ contact, links, ...(data ? { data } : {}) })
  const footer = hasFooter(mailClass)
    ? marketingFooter({
        projectName: project.name,
        language: project.language,
        locale: data?.['locale'] ?? contact.data['locale'],
        unsubscribeUrl: links.unsubscribeUrl,
      })
    : undefined
  return renderContent(cacheOf(ctx), { subject, body }, scope, footer)
}
