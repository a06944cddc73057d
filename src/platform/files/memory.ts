// Files in memory, for tests, which may also make it fail.
import type { FileStore } from './store'

export interface MemoryStore extends FileStore {
  readonly files: Map<string, Uint8Array>
  /** What the next writes throw; undefined lets them through. */
  fault?: Error
}

export function memoryStore(): MemoryStore {
  const files = new Map<string, Uint8Array>()
  const self: MemoryStore = {
    kind: 'directory',
    files,
    publicUrl: () => undefined,
    async write(key, content) {
      if (self.fault) throw self.fault
      files.set(key, content)
    },
    async read(key) {
      const content = files.get(key)
      return content && { size: content.length, content: new Blob([content as Uint8Array<ArrayBuffer>]) }
    },
    async removeFolder(folder) {
      for (const key of files.keys()) if (key.startsWith(`${folder}/`)) files.delete(key)
    },
  }
  return self
}
