// Two calls of the C library that Bun does not offer: an advisory lock on a file, which the kernel frees however its holder dies,
// and writing a whole file system through to the disk.
import { dlopen, FFIType } from 'bun:ffi'
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface DirectoryLock {
  release(): void
}

/** Another process works in the directory. */
export class DirectoryInUse extends Error {
  constructor(
    directory: string,
    /** `pid 123`, as the other one wrote it. */
    readonly holder: string,
  ) {
    super(`data directory ${directory} is in use by another process (${holder})`)
  }
}

const exclusiveWithoutWaiting = 2 | 4

/** Locks `directory` for this process; throws DirectoryInUse at once when another one has it. */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'lock')
  const file = openLock(path, directory)
  if (!tryLock(file)) {
    closeSync(file)
    throw new DirectoryInUse(directory, holder(path))
  }
  ftruncateSync(file)
  writeSync(file, `${process.pid}\n`, 0)
  return { release: () => closeSync(file) }
}

function openLock(path: string, directory: string): number {
  try {
    // 'a+' creates the file without emptying it: until the lock is ours it holds the other process's id.
    return openSync(path, 'a+', 0o644)
  } catch (error) {
    throw new Error(`cannot write to data directory ${directory}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function holder(path: string): string {
  const pid = readFileSync(path, 'utf8').trim()
  return pid === '' ? 'pid unknown' : `pid ${pid}`
}

function tryLock(file: number): boolean {
  const library = dlopen(libraryName, {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  })
  try {
    return library.symbols.flock(file, exclusiveWithoutWaiting) === 0
  } finally {
    library.close()
  }
}

/**
 * Returns when everything written below `directory` is on the disk. One call instead of a thousand fsyncs: a fresh cluster
 * must survive a power cut from its first commit on.
 */
export function flushFileSystem(directory: string): void {
  if (process.platform === 'linux') flushFileSystemOf(directory)
  else flushEverything()
}

/** Makes the names in `directory` (a rename before this call) survive a power cut. */
export function flushFolder(directory: string): void {
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function flushFileSystemOf(directory: string): void {
  const library = dlopen(libraryName, { syncfs: { args: [FFIType.i32], returns: FFIType.i32 } })
  const file = openSync(directory, 'r')
  try {
    if (library.symbols.syncfs(file) !== 0) throw new Error(`cannot write ${directory} through to the disk`)
  } finally {
    closeSync(file)
    library.close()
  }
}

function flushEverything(): void {
  const library = dlopen(libraryName, { sync: { args: [], returns: FFIType.void } })
  library.symbols.sync()
  library.close()
}

const libraryName = process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6'
