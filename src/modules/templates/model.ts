// Requests and answers of the template routes, and the row as clients see it.
import { type Static, t } from 'elysia'
import type { TemplateRow } from './queries'

export const templateType = t.Union([
  t.Literal('TRANSACTIONAL'),
  t.Literal('MARKETING'),
  t.Literal('HEADLESS'),
])

const nullable = (maxLength: number) => t.Optional(t.Union([t.String({ maxLength }), t.Null()]))

/** The required members are optional here: a missing one is answered in the short form that the interface documents. */
export const createBody = t.Object({
  name: t.Optional(t.String({ maxLength: 100 })),
  description: nullable(500),
  subject: t.Optional(t.String({ maxLength: 998 })),
  body: t.Optional(t.String({ maxLength: 2_000_000, description: 'HTML with {{variable}} placeholders' })),
  from: t.Optional(t.String({ maxLength: 320 })),
  fromName: nullable(200),
  replyTo: nullable(320),
  type: t.Optional(templateType),
})

export type CreateBody = Static<typeof createBody>

export const templateAnswer = t.Object({
  id: t.String(),
  name: t.String(),
  description: t.Union([t.String(), t.Null()]),
  subject: t.String(),
  body: t.String(),
  from: t.String(),
  fromName: t.Union([t.String(), t.Null()]),
  replyTo: t.Union([t.String(), t.Null()]),
  type: templateType,
  projectId: t.String(),
  createdAt: t.String(),
  updatedAt: t.String(),
})

export type TemplateAnswer = Static<typeof templateAnswer>

export function toTemplate(row: TemplateRow): TemplateAnswer {
  const { fromEmail, createdAt, updatedAt, ...rest } = row
  return { ...rest, from: fromEmail, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
