// Requests and answers of the layout routes, and a layout as clients see it.
import { type Static, Type } from '@sinclair/typebox'
import { answeredId, answeredInstant } from '../../../lib/answered'
import { oneOfWords } from '../../../lib/described'
import { anyKey } from '../../../lib/free-form'
import { cursorListOf, cursorQuery } from '../../../lib/paging'
import { contentTypes } from '../emails'
import { answeredEditor, answeredVersion, expectedVersion, givenEditor } from './editor'
import { maxLayoutLength } from './layout'
import type { LayoutRow, ListedLayout } from './queries'

export const layoutParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const layoutsQuery = Type.Object(cursorQuery)

const nullable = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const name = Type.String({ minLength: 1, maxLength: 100 })
const body = Type.String({
  minLength: 1,
  maxLength: maxLayoutLength,
  description: 'HTML with Liquid that says once, as {{ content }}, where the content goes',
})

export const layoutBody = Type.Object(
  { name, description: nullable(500), body, editor: givenEditor },
  { title: 'LayoutRequest' },
)

export type LayoutBody = Static<typeof layoutBody>

/** Absent members keep their value, null clears. */
export const layoutChanges = Type.Object(
  {
    name: Type.Optional(name),
    description: nullable(500),
    body: Type.Optional(body),
    editor: givenEditor,
    expectedVersion,
  },
  { title: 'LayoutChanges' },
)

export type LayoutChangesBody = Static<typeof layoutChanges>

/** What a template or campaign says about its layout. */
export const layoutId = Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
  description: 'The layout that the body is put into when it is sent; null: none',
  'x-waxwing-addition': true,
})

/** The same in an answer. */
export const answeredLayoutId = Type.Union([Type.String(), Type.Null()], {
  description: 'The layout that the body stands in when it is sent',
  'x-waxwing-addition': true,
})

export const layoutPreviewBody = Type.Object({
  body,
  content: Type.Optional(
    Type.String({
      maxLength: 2_000_000,
      description: 'HTML that is shown in it; a few words of ours by default',
    }),
  ),
  type: Type.Optional(oneOfWords(contentTypes)),
  contactId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Render with the data of this contact' }),
  ),
  data: Type.Optional(Type.Record(anyKey, Type.Unknown(), { description: 'Example data' })),
})

export type LayoutPreviewBody = Static<typeof layoutPreviewBody>

export const layoutAnswer = Type.Object(
  {
    id: answeredId(),
    name: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    body: Type.String(),
    editor: answeredEditor,
    version: answeredVersion,
    projectId: answeredId(),
    createdAt: answeredInstant(),
    updatedAt: answeredInstant(),
  },
  { title: 'Layout' },
)

export const layoutList = cursorListOf(layoutAnswer)

const named = Type.Array(Type.Object({ id: answeredId(), name: Type.String() }), {
  description: 'The newest, up to 100',
})

export const layoutUsageAnswer = Type.Object(
  {
    templates: named,
    templateCount: Type.Integer(),
    campaigns: named,
    campaignCount: Type.Integer({
      description: 'Drafts and scheduled ones; others keep the layout they were sent in',
    }),
  },
  { title: 'LayoutUsage' },
)

export type LayoutUsage = Static<typeof layoutUsageAnswer>

export function toLayout(row: ListedLayout & Partial<LayoutRow>): Static<typeof layoutAnswer> {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() }
}
