// Files in an S3-compatible bucket. Where the bucket has no public address, the instance reads from it and serves the files itself.
import { S3Client } from 'bun'
import { type FileStore, type StoredFile, StoreFull, StoreUnavailable } from './store'

export interface S3Settings {
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  endpoint?: string
  region?: string
  /** The address under which the bucket's objects are public, without a slash at the end. */
  publicUrl?: string
  /** Put before every key, without slashes at its ends; empty for none. */
  prefix: string
}

export function s3Store({ prefix, publicUrl, ...credentials }: S3Settings): FileStore {
  const client = new S3Client({ ...credentials, retry: 2 })
  const fullKey = (key: string): string => (prefix ? `${prefix}/${key}` : key)
  return {
    kind: 's3',
    publicUrl: key => publicUrl && `${publicUrl}/${fullKey(key)}`,
    write: (key, content, type) =>
      guarded(async () => void (await client.write(fullKey(key), content, { type }))),
    read: key => guarded(() => readObject(client, fullKey(key))),
    removeFolder: (folder, signal) => guarded(() => removeObjects(client, `${fullKey(folder)}/`, signal)),
  }
}

async function readObject(client: S3Client, key: string): Promise<StoredFile | undefined> {
  try {
    const { size } = await client.stat(key)
    return { size, content: client.file(key).stream() }
  } catch (error) {
    if (codeOf(error) === 'NoSuchKey' || codeOf(error) === 'NotFound') return undefined
    throw error
  }
}

/** As many as one answer of the list holds. */
const pageSize = 1_000
const atOnce = 20

/** Always the first page, until it is empty: what failed is tried again, as long as something goes. */
async function removeObjects(client: S3Client, prefix: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { contents = [] } = await client.list({ prefix, maxKeys: pageSize })
    for (let from = 0; from < contents.length && !signal.aborted; from += atOnce)
      await removeSome(
        client,
        contents.slice(from, from + atOnce).map(({ key }) => key),
      )
    if (contents.length === 0) return
  }
}

async function removeSome(client: S3Client, keys: string[]): Promise<void> {
  const removed = await Promise.allSettled(keys.map(key => client.delete(key)))
  const failed = removed.filter(one => one.status === 'rejected')
  if (failed.length === keys.length) throw failed[0]!.reason
}

/** Errors name the code that the other side gave, never the request. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = codeOf(error)
    const options = { cause: error }
    if (/^(EntityTooLarge|XMinioStorageFull|QuotaExceeded)$/.test(code))
      throw new StoreFull(`the bucket has no room (${code})`, options)
    throw new StoreUnavailable(`the object store refused or did not answer (${code})`, options)
  }
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}
