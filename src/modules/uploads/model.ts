// Requests and answers of uploads.
import { t } from 'elysia'

/** Anything is allowed in the part: what is not a file, or not an image, gets the short form of error. */
const part = t.Any({
  type: 'string',
  format: 'binary',
  description: 'JPEG, PNG, GIF or WebP, at most 10 MB',
})
export const imageBody = t.Optional(t.Object({ image: t.Optional(part) }))

export const imageAnswer = t.Object(
  {
    url: t.String({ description: 'Where everybody can read the image' }),
    key: t.String(),
    filename: t.String(),
    contentType: t.String(),
    size: t.Integer(),
  },
  { title: 'UploadedImage' },
)

const failed = t.Object({ error: t.String() })

export const imageAnswers = { 200: imageAnswer, 400: failed, 403: failed, 503: failed, 507: failed }
