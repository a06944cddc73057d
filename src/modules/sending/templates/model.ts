// Requests and answers of the template routes, and the row as clients see it.

import { type Static, t } from 'elysia'
import { answeredAddress, answeredId, answeredInstant, nullableAddress } from '../../../lib/answered'
import { addressText, describedWith, filterWord, oneOfWords, queryText } from '../../../lib/described'
import { anyKey } from '../../../lib/free-form'
import { lenientSortQuery, namedSortKeys, offsetListOf, pageQuery } from '../../../lib/paging'
import { contentTypes } from '../emails'
import { answeredEditor, answeredVersion, expectedVersion, givenEditor } from './editor'
import { answeredLayoutId, layoutId } from './layout-model'
import type { ListedTemplate, TemplateRow } from './queries'

export const idParams = t.Object({ id: t.String({ format: 'uuid' }) })

export const listQuery = t.Object({
  ...pageQuery,
  ...lenientSortQuery(namedSortKeys),
  type: t.Optional(filterWord(contentTypes, 'Only templates of this type')),
  search: t.Optional(queryText(500, 'Part of name, description or subject')),
})

export type ListQuery = Static<typeof listQuery>

export const templateType = oneOfWords(contentTypes)

const nullable = (maxLength: number) => t.Optional(t.Union([t.String({ maxLength }), t.Null()]))

const ownTracking = t.Union([t.Boolean(), t.Null()], {
  description: 'Whether opens and clicks of what is sent with it are measured; null: the project decides',
  'x-waxwing-addition': true,
})
const replyTo = t.Optional(t.Union([addressText(), t.Null()]))

export const maxTemplateNameLength = 100

/** The required members are optional here: a missing one gets the short form of error that the interface documents. */
export const createBody = describedWith(
  t.Object({
    name: t.Optional(t.String({ maxLength: maxTemplateNameLength })),
    description: nullable(500),
    subject: t.Optional(t.String({ maxLength: 998 })),
    body: t.Optional(t.String({ maxLength: 2_000_000, description: 'HTML with {{variable}} placeholders' })),
    from: t.Optional(addressText()),
    fromName: nullable(200),
    replyTo,
    type: t.Optional(templateType),
    tracking: t.Optional(ownTracking),
    editor: givenEditor,
    layoutId: t.Optional(layoutId),
  }),
  'name',
  'subject',
  'body',
  'from',
)

export type CreateBody = Static<typeof createBody>

/** Absent members keep their value, null clears. */
export const updateBody = t.Object({
  name: t.Optional(t.String({ minLength: 1, maxLength: maxTemplateNameLength })),
  description: nullable(500),
  subject: t.Optional(t.String({ minLength: 1, maxLength: 998 })),
  body: t.Optional(t.String({ minLength: 1, maxLength: 2_000_000 })),
  from: t.Optional(addressText()),
  fromName: nullable(200),
  replyTo,
  type: t.Optional(templateType),
  tracking: t.Optional(ownTracking),
  editor: givenEditor,
  layoutId: t.Optional(layoutId),
  expectedVersion,
})

export type UpdateBody = Static<typeof updateBody>

/** Either a saved template, or a subject and body that are being written, with the layout that they will be put into. */
export const previewBody = t.Object({
  templateId: t.Optional(t.String({ format: 'uuid' })),
  subject: t.Optional(t.String({ maxLength: 998 })),
  body: t.Optional(t.String({ maxLength: 2_000_000 })),
  type: t.Optional(templateType),
  layoutId: t.Optional(layoutId),
  contactId: t.Optional(t.String({ format: 'uuid', description: 'Render with the data of this contact' })),
  data: t.Optional(t.Record(anyKey, t.Unknown(), { description: 'Example data' })),
})

export type PreviewBody = Static<typeof previewBody>

export const warning = t.Object(
  {
    code: t.String({
      description:
        'unknown_variable, missing_values, missing_unsubscribe_link, body_too_large, dead_links, empty_link, image_without_text, sample_link or no_postal_address',
    }),
    message: t.String(),
    variable: t.Optional(t.String()),
    contacts: t.Optional(t.Integer({ description: 'How many contacts it concerns' })),
  },
  { title: 'TemplateWarning' },
)

export const previewAnswer = t.Object(
  {
    subject: t.String(),
    html: t.String(),
    text: t.String(),
    warnings: t.Array(warning),
  },
  { title: 'TemplatePreview' },
)

const named = { id: answeredId(), name: t.String() }

export const usageAnswer = t.Object(
  {
    campaigns: t.Array(t.Object(named)),
    workflowSteps: t.Array(t.Object({ ...named, workflowId: answeredId(), workflowName: t.String() })),
    forms: t.Array(t.Object(named), {
      description: 'Forms whose confirmation is mailed with it; without it, that is a letter of our own',
    }),
    emailsSent: t.Integer(),
  },
  { title: 'TemplateUsage' },
)

export const templateAnswer = t.Object(
  {
    id: answeredId(),
    name: t.String(),
    description: t.Union([t.String(), t.Null()]),
    subject: t.String(),
    body: t.String(),
    from: answeredAddress(),
    fromName: t.Union([t.String(), t.Null()]),
    replyTo: nullableAddress(),
    type: templateType,
    tracking: ownTracking,
    editor: answeredEditor,
    layoutId: answeredLayoutId,
    version: answeredVersion,
    projectId: answeredId(),
    createdAt: answeredInstant(),
    updatedAt: answeredInstant(),
  },
  { title: 'Template' },
)

export type TemplateAnswer = Static<typeof templateAnswer>

export const templateList = offsetListOf(templateAnswer)

export function toTemplate(row: TemplateRow | ListedTemplate): TemplateAnswer {
  const { fromEmail, createdAt, updatedAt, ...rest } = row
  return { ...rest, from: fromEmail, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

const mark = ' (Copy)'

/** `News` becomes `News (Copy)`; a name of the greatest length is cut to make room. */
export function copyName(name: string, longest: number): string {
  return `${name.slice(0, longest - mark.length).toWellFormed()}${mark}`
}
