// Uploads over HTTP: one route takes an image, another serves it to the world.
import { Elysia, t } from 'elysia'
import { typedFiles } from '../../../http/form-parts'
import { answer } from '../../../http/openapi/media'
import { AppError } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { projectAccess } from '../../accounts/projects'
import { type ReadableImage, readImage, uploadImage } from './service'

export function uploadsRoutes(ctx: Context) {
  return new Elysia({ name: 'uploads', prefix: '/uploads', tags: ['Uploads'] })
    .use(takeRoutes(ctx))
    .use(showRoutes(ctx))
}

function takeRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/image',
      async ({ access, body }) => await uploadImage(ctx, access.project.id, await readPart(body?.image)),
      {
        scope: 'write',
        // The framework's own reader takes a form that is refused for none.
        parse: typedFiles,
        body: imageBody,
        response: imageAnswers,
        detail: {
          summary: 'Upload an image for the body of a template',
          description:
            'JPEG, PNG, GIF or WebP, judged by its bytes, at most 10 MB. Anybody who has the `url` of the answer can load it; 403 where the project has no room left.',
          shortErrors: [400, 403, 503, 507],
        },
      },
    )
}

/** The limit of the body has been checked, so all of it may be in memory. */
async function readPart(part: unknown): Promise<Uint8Array | undefined> {
  return part instanceof Blob ? new Uint8Array(await part.arrayBuffer()) : undefined
}

/** No credentials: images are read by those who get the mails. For HEAD the framework calls the same route, and measures the body. */
function showRoutes(ctx: Context) {
  return new Elysia({ detail: { addition: true } }).get(
    '/*',
    async ({ params, request }) => {
      const image = await readImage(ctx, params['*'])
      if (!image) throw new AppError(404, 'RESOURCE_NOT_FOUND', 'There is no such file')
      return respond(image, request)
    },
    {
      detail: {
        summary: 'An uploaded image',
        description:
          "Needs no key, since recipients' mail programs load it. It never changes, so it may be cached for good.",
        responses: {
          200: answer('The image', 'image/jpeg', 'image/png', 'image/gif', 'image/webp'),
          304: answer('What the client has is still current'),
        },
      },
    },
  )
}

/** Nothing that is served here may run, whatever a browser takes it for. */
const safety = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
  'cross-origin-resource-policy': 'cross-origin',
}

function respond(image: ReadableImage, request: Request): Response {
  const headers = { ...safety, 'cache-control': 'public, max-age=31536000, immutable', etag: image.etag }
  if (isKnown(request.headers.get('if-none-match'), image.etag))
    return new Response(null, { status: 304, headers })
  const described = { ...headers, 'content-type': image.contentType, 'content-length': String(image.size) }
  return new Response(image.content, { headers: described })
}

function isKnown(given: string | null, etag: string): boolean {
  return (given ?? '').split(',').some(one => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

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
