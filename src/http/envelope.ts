// The success wrapper of the public endpoints and the schemas of the error bodies, shared by every route.
import { Type } from '@sinclair/typebox'
import { freeForm } from '../lib/free-form'

/** The wrapper `{success: true, data}`. */
export function success<T>(data: T): { success: true; data: T } {
  return { success: true, data }
}

/** What every error says, on its own or of one message of a batch. */
export const errorSchema = Type.Object(
  {
    code: Type.String({ description: 'Machine-readable code, such as VALIDATION_ERROR' }),
    message: Type.String(),
    statusCode: Type.Integer({ description: 'The HTTP status' }),
    requestId: Type.String({ format: 'uuid', description: 'Also in the header X-Request-ID' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Dot path such as attachments.0.filename' }),
          message: Type.String(),
          code: Type.String({ description: 'invalid_type, invalid_string, too_small, too_big, ...' }),
          received: Type.Optional(Type.Unknown()),
        }),
      ),
    ),
    details: Type.Optional(freeForm),
    suggestion: Type.Optional(Type.String()),
  },
  { title: 'ErrorDetails' },
)

/** The documented error body; for the OpenAPI document. */
export const envelopeSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: errorSchema,
    timestamp: Type.String({ format: 'date-time' }),
  },
  { title: 'ErrorEnvelope' },
)

/** The short form of the 400s that the interface names. */
export const shortErrorSchema = Type.Object({ error: Type.String() }, { title: 'ShortError' })
