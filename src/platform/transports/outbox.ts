// The default transport: every message becomes an `.eml` file in one folder and counts as delivered. Nothing leaves the
// machine. A file appears complete or not at all, and a retry of the same message replaces its file.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FinishedMessage, SendResult } from '../../mail/message'
import { syncFolder, writeSynced } from '../files/durable'
import type { Transport } from './transport'

/** Ids become file names, so they may hold nothing that a path would read. */
const safeId = /^[\w-]{1,100}$/

export function outboxTransport(options: { directory: string }): Transport {
  const folder = options.directory
  const syncFolder = groupedSync(folder)
  let prepared: Promise<void> | undefined
  let count = 0

  async function ready(): Promise<void> {
    prepared ??= prepare(folder)
    // A folder that could not be made (disk full, no right) is tried again by the next message.
    await prepared.catch(error => {
      prepared = undefined
      throw error
    })
  }

  async function write(message: FinishedMessage): Promise<string> {
    await ready()
    const file = join(folder, `${message.id}.eml`)
    const draft = join(folder, `.${message.id}.${process.pid}.${++count}.tmp`)
    try {
      await writeSynced(draft, message.raw, { flag: 'w', mode: 0o600 })
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await syncFolder()
    return file
  }

  return {
    name: 'outbox',
    signsItself: true,
    async send(message) {
      if (!safeId.test(message.id)) return refusedId()
      try {
        const file = await write(message)
        return { outcome: 'accepted', delivered: true, response: `written to ${file}` }
      } catch (error) {
        return {
          outcome: 'deferred',
          response: `cannot write to ${folder}: ${reason(error)}`.slice(0, 1_000),
        }
      }
    },
    async verify() {
      try {
        // Asked of the nearest folder that is there: looking makes none.
        let nearest = folder
        while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
        if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is not a folder`)
        accessSync(nearest, constants.W_OK | constants.X_OK)
      } catch (error) {
        throw new Error(`cannot write to ${folder}: ${reason(error)}`, { cause: error })
      }
      return `outbox: messages are written to ${folder}, nothing leaves this machine`
    },
    async close() {},
  }
}

/** Makes the folder and removes drafts that a killed process left; their messages are sent again from the queue. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const drafts = (await readdir(folder)).filter(name => name.startsWith('.') && name.endsWith('.tmp'))
  for (const name of drafts) await rm(join(folder, name), { force: true })
}

/** Makes renames durable. Callers that arrive while a sync runs share the next one: a sync that began earlier may miss them. */
function groupedSync(folder: string): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        running = syncFolder(folder)
        next = undefined
        return running
      })
    return next
  }
}

function refusedId(): SendResult {
  return { outcome: 'refused', blame: 'other', response: 'the message id cannot be a file name' }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
