// Writing that outlasts a crash of the machine: the bytes of a file, and the names in a folder. The caller decides when.
import { open } from 'node:fs/promises'

/** Resolves when the bytes are on the disk; the name is not before its folder is synced. `wx` refuses to replace. */
export async function writeSynced(
  path: string,
  content: string | Uint8Array,
  options: { flag: 'w' | 'wx'; mode: number },
): Promise<void> {
  const file = await open(path, options.flag, options.mode)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes what was created, renamed and removed in the folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
