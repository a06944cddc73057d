// What kind of image some bytes are. The bytes decide, never the name or the type that came with them. Pure.

export interface ImageKind {
  contentType: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
  extension: 'jpg' | 'png' | 'gif' | 'webp'
}

const kinds: readonly (ImageKind & { matches(bytes: Uint8Array): boolean })[] = [
  { contentType: 'image/jpeg', extension: 'jpg', matches: begins(0, [0xff, 0xd8, 0xff]) },
  {
    contentType: 'image/png',
    extension: 'png',
    matches: begins(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
  {
    contentType: 'image/gif',
    extension: 'gif',
    matches: bytes => begins(0, ascii('GIF87a'))(bytes) || begins(0, ascii('GIF89a'))(bytes),
  },
  {
    contentType: 'image/webp',
    extension: 'webp',
    // RIFF alone may also be sound or video.
    matches: bytes => begins(0, ascii('RIFF'))(bytes) && begins(8, ascii('WEBP'))(bytes),
  },
]

/** Undefined for anything that is none of the four. */
export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  const found = kinds.find(kind => kind.matches(bytes))
  return found && { contentType: found.contentType, extension: found.extension }
}

/** The type with which a stored file is served, by the extension that we gave it. */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf('.') + 1)
  return kinds.find(kind => kind.extension === extension)?.contentType ?? 'application/octet-stream'
}

function begins(at: number, magic: readonly number[]): (bytes: Uint8Array) => boolean {
  return bytes =>
    bytes.length >= at + magic.length && magic.every((byte, index) => bytes[at + index] === byte)
}

function ascii(text: string): number[] {
  return [...text].map(letter => letter.charCodeAt(0))
}
