// Uploading images for the bodies of templates, and reading them again. A file's name says nothing about its content and can't be
// guessed; whoever has the address may read it, like everybody who gets the mail.
import { AppError, shortBadRequest } from '../../../lib/errors'
import { hexToken } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { addressOfFile } from '../../../platform/files/address'
import { isFileKey, type StoredFile, StoreFull, StoreUnavailable } from '../../../platform/files/store'
import { contentTypeOf, type ImageKind, imageKind } from './image'
import { giveRoomBack, takeRoom } from './queries'

export interface Uploaded {
  url: string
  key: string
  filename: string
  contentType: string
  size: number
}

export const maxImageBytes = 10 * 1024 ** 2

/** Stores an image durably before it answers. Most errors have the short form, as the interface words them. */
export async function uploadImage(
  ctx: Context,
  projectId: string,
  bytes: Uint8Array | undefined,
): Promise<Uploaded> {
  if (!bytes || bytes.length === 0) throw shortBadRequest('No image was sent in the part "image"')
  if (bytes.length > maxImageBytes) throw tooLarge()
  const kind = imageKind(bytes)
  if (!kind) throw shortBadRequest('The file is not a JPEG, PNG, GIF or WebP image')
  const filename = newName(ctx, kind)
  const key = `${projectId}/${filename}`
  const limit = ctx.config.uploadBytesPerProject
  if (!(await takeRoom(ctx, projectId, bytes.length, limit))) throw noRoom(limit)
  try {
    await store(ctx, key, bytes, kind)
  } catch (error) {
    await giveRoomBack(ctx, projectId, bytes.length)
    throw error
  }
  return { url: addressOfFile(ctx, key), key, filename, contentType: kind.contentType, size: bytes.length }
}

/** The extension comes from the bytes, so that nothing is ever served as what it isn't. */
function newName(ctx: Context, { extension }: ImageKind): string {
  return `${ctx.clock.now().getTime()}-${hexToken(ctx.random, 8)}.${extension}`
}

async function store(ctx: Context, key: string, bytes: Uint8Array, kind: ImageKind): Promise<void> {
  try {
    await ctx.files.write(key, bytes, kind.contentType)
  } catch (error) {
    throw inAnswer(ctx, error)
  }
}

function inAnswer(ctx: Context, error: unknown): unknown {
  if (!(error instanceof StoreFull) && !(error instanceof StoreUnavailable)) return error
  ctx.log.error({ error: error.message }, 'an upload could not be stored')
  return error instanceof StoreFull
    ? new AppError(507, 'STORAGE_FULL', 'There is no room left for uploads', { short: true, cause: error })
    : unavailable(error)
}

function unavailable(cause: unknown): AppError {
  const message = 'The storage of uploads does not work at the moment'
  return new AppError(503, 'SERVICE_UNAVAILABLE', message, { short: true, cause })
}

function tooLarge(): AppError {
  return new AppError(413, 'PAYLOAD_TOO_LARGE', `An image may have at most ${maxImageBytes} bytes`, {
    suggestion: 'Make the image smaller; mail programs show none wider than about 1,200 pixels well.',
  })
}

function noRoom(limit: number): AppError {
  const message = `This project may keep ${limit} bytes of images, and this one would be too much`
  return new AppError(403, 'FORBIDDEN', message, { short: true })
}

export interface ReadableImage extends StoredFile {
  contentType: string
  /** A file never changes, so comparing its key is enough. */
  etag: string
}

/** Undefined for anything that is not a key of ours, and for a file that is gone. */
export async function readImage(ctx: Context, key: string): Promise<ReadableImage | undefined> {
  if (!isFileKey(key)) return undefined
  try {
    const file = await ctx.files.read(key)
    return file && { ...file, contentType: contentTypeOf(key), etag: `"${key.replace('/', '-')}"` }
  } catch (error) {
    throw inAnswer(ctx, error)
  }
}
