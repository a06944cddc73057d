// Where a backup is written: a file that appears under its name only when it is whole and on the disk, or standard output.
import { unlinkSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from '../db/lock'
import type { Sink } from './writer'

/** Only its owner may read it: it holds addresses, and perhaps secrets. A file of this name stays until the new one is whole. */
export async function fileSink(path: string): Promise<Sink> {
  const draft = `${path}.partial-${process.pid}`
  const handle = await open(draft, 'w', 0o600)
  // Also when the process is asked to end.
  const remove = (): void => removeFile(draft)
  process.on('exit', remove)
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; )
        at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten
    },
    async finish() {
      await handle.sync()
      await handle.close()
      await rename(draft, path)
      process.off('exit', remove)
      flushFolder(dirname(path))
    },
    async abandon() {
      await handle.close().catch(() => {})
      remove()
      process.off('exit', remove)
    },
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It has its final name, or never came to be.
  }
}

export function outputSink(): Sink {
  return {
    write: bytes =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, error => (error ? reject(error) : resolve()))
      }),
    finish: async () => {},
    abandon: async () => {},
  }
}
