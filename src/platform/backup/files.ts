// The files of a data directory that belong to a backup (pictures that people have uploaded), read and written in pieces. A path
// from a backup is taken only where it stays inside its folder.
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { BackupFault, blockBytes, type FileSum } from './format'

export interface DataFile {
  /** Below the folder, with `/`. */
  path: string
  content(): AsyncGenerator<Uint8Array>
  /** Known when the content has been read. */
  sum(): FileSum
}

export interface DataFiles {
  list(): AsyncGenerator<DataFile>
}

/** The regular files below `folder`; none where there is no such folder. Drafts are left out. */
export function filesBelow(folder: string): DataFiles {
  return {
    async *list() {
      for (const entry of await entries(folder)) {
        const path = join(entry.parentPath, entry.name)
        const handle = await open(path).catch(absent)
        if (!handle) continue
        try {
          yield dataFile(relative(folder, path).split(sep).join('/'), handle)
        } finally {
          await handle.close()
        }
      }
    },
  }
}

async function entries(folder: string): Promise<Dirent[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent)
  return (found ?? []).filter(entry => entry.isFile() && !/^\.|\.draft$/.test(entry.name))
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function dataFile(path: string, handle: Awaited<ReturnType<typeof open>>): DataFile {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    path,
    async *content() {
      for (;;) {
        // A new buffer each time: the one before may still wait to be compressed.
        const piece = Buffer.allocUnsafe(blockBytes)
        const { bytesRead } = await handle.read(piece, 0, blockBytes)
        if (bytesRead === 0) return
        const content = piece.subarray(0, bytesRead)
        hash.update(content)
        bytes += bytesRead
        yield content
      }
    },
    sum: () => ({ bytes, sha256: hash.copy().digest('hex') }),
  }
}

export interface FileWriter {
  write(piece: Uint8Array): Promise<void>
  /** Compares with what was read, makes the file durable and gives it its name. */
  finish(expected: FileSum): Promise<void>
}

/** Writes one file of a backup below `folder`; with no folder it is only checked. */
export async function fileWriter(folder: string | undefined, path: string): Promise<FileWriter> {
  assertInside(path)
  const target = folder === undefined ? undefined : join(folder, path)
  if (target) await mkdir(dirname(target), { recursive: true })
  const draft = target ? join(dirname(target), `.${target.split(sep).at(-1)}.restoring`) : undefined
  const handle = draft ? await open(draft, 'w', 0o644) : undefined
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async write(piece) {
      hash.update(piece)
      bytes += piece.length
      await handle?.writeFile(piece)
    },
    async finish(expected) {
      await handle?.sync()
      await handle?.close()
      if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256)
        throw new BackupFault(`the backup is damaged: the file ${path} differs from its checksum`)
      if (draft && target) await rename(draft, target)
    },
  }
}

function assertInside(path: string): void {
  const parts = path.split('/')
  const isPlain = parts.every(part => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))
  if (!isPlain || path.length > 1_000)
    throw new BackupFault('the backup holds a file whose path leads elsewhere: it was not made by Waxwing')
}
