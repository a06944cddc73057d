// What editors know besides the HTML that they made: kept with a template or campaign so that it can be edited again as it was written.
// The server never reads it; the body is what is sent.
import { type Static, Type } from '@sinclair/typebox'
import { AppError, type FieldError } from '../../../lib/errors'

const kinds = Type.Union([Type.Literal('blocks'), Type.Literal('markdown')])

const editorObject = Type.Object(
  { kind: kinds, document: Type.Unknown({ description: 'Kept as it is given' }) },
  {
    title: 'EditorDocument',
    description: 'What an editor made the body from; at most 500 kB as JSON',
    'x-waxwing-addition': true,
  },
)

/** In a request. A new body without one clears it: nobody may edit what is no longer sent. */
export const givenEditor = Type.Optional(
  Type.Union([editorObject, Type.Null()], { 'x-waxwing-addition': true }),
)

/** In an answer; lists leave it out. */
export const answeredEditor = Type.Optional(
  Type.Union([editorObject, Type.Null()], { 'x-waxwing-addition': true }),
)

export const answeredVersion = Type.Integer({
  description: 'Counts the changes to the content',
  'x-waxwing-addition': true,
})

/** In a request that changes something. */
export const expectedVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The version that the change is based on; 409 where somebody else was quicker',
    'x-waxwing-addition': true,
  }),
)

const largest = 500_000

export type Editor = Static<typeof editorObject>

export function editorFaults(editor: Editor | null | undefined): FieldError[] {
  const size = editor ? Buffer.byteLength(JSON.stringify(editor)) : 0
  if (size <= largest) return []
  return [{ field: 'editor', message: `must have at most ${largest / 1000} kB as JSON`, code: 'too_big' }]
}

/** What a change makes of the document that is kept: a body that came without one leaves none. */
export function editorAfter(given: { body?: string; editor?: Editor | null }): { editor?: Editor | null } {
  if (given.editor !== undefined) return { editor: given.editor }
  return given.body === undefined ? {} : { editor: null }
}

/** 409 where the change is based on a version that is not the current one. */
export function refuseOldVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return
  throw new AppError(409, 'CONFLICT', 'Somebody else has changed this meanwhile', {
    details: { version: current },
    suggestion: 'Read it again, and send the change with its version as expectedVersion.',
  })
}
