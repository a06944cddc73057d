// Files in a directory of this machine. A file appears under its name with all of its bytes or not at all: it is written under another name,
// synced to the disk and renamed.
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, writeSynced } from './durable'
import { type FileStore, type StoredFile, StoreFull, StoreUnavailable } from './store'

export function directoryStore(root: string): FileStore {
  return {
    kind: 'directory',
    publicUrl: () => undefined,
    write: (key, content) => writeWhole(join(root, key), content),
    read: key => readFile(join(root, key)),
    // A crash in between leaves part of the folder, and the caller comes again.
    removeFolder: folder => rm(join(root, folder), { recursive: true, force: true }),
  }
}

async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const folder = dirname(path)
  const draft = `${path}.draft`
  try {
    await mkdir(folder, { recursive: true })
    await writeSynced(draft, content, { flag: 'w', mode: 0o644 })
    await rename(draft, path)
    await syncFolder(folder)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw inWords(error)
  }
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function inWords(error: unknown): Error {
  const code = String((error as { code?: unknown }).code ?? error)
  const options = { cause: error }
  return full.has(code)
    ? new StoreFull(`the disk of the uploads is full (${code})`, options)
    : new StoreUnavailable(`the uploads can't be written (${code})`, options)
}

async function readFile(path: string): Promise<StoredFile | undefined> {
  const file = Bun.file(path)
  return (await file.exists()) ? { size: file.size, content: file } : undefined
}
