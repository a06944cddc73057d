// Where uploaded files live: a directory of this machine, or a bucket. Keys are `<folder>/<name>` and made by us; a file that is
// written never changes.

export interface StoredFile {
  size: number
  /** Sends itself piece by piece. */
  content: Blob | ReadableStream<Uint8Array>
}

export interface FileStore {
  readonly kind: 'directory' | 's3'
  /** The public address of a file; undefined if this instance serves it itself. */
  publicUrl(key: string): string | undefined
  /** Durable when it resolves. Throws StoreFull or StoreUnavailable. */
  write(key: string, content: Uint8Array, contentType: string): Promise<void>
  /** Undefined if there is none. */
  read(key: string): Promise<StoredFile | undefined>
  /** Removes a folder with everything in it; nothing happens if there is none. Stops between files when told to. */
  removeFolder(folder: string, signal: AbortSignal): Promise<void>
}

/** There is no room for the file. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
}

/** The store does not answer, or refuses us. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

const keyForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9]{1,15}-[0-9a-f]{16}\.(jpg|png|gif|webp)$/

/** Whether a path names a file of ours. Anything else (`..`, a backslash, a draft) is not looked for. */
export function isFileKey(path: string): boolean {
  return keyForm.test(path)
}
