// The two secrets of an instance: given by the environment, or made once and kept in DATA_DIR. A database remembers which ones it
// was written with, because with others its sealed secrets are unreadable and the links in mails already sent are void.
import { chmod, link, mkdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hexToken, type Random } from '../lib/ids'
import type { Vault } from '../lib/vault'
import type { Config } from '../settings/config'
import { type Context, newId } from './context'
import { syncFolder, writeSynced } from './files/durable'

export interface Secrets {
  jwtSecret: string
  encryptionKey: string
}

/** Names in DATA_DIR. */
export const secretFiles = { jwtSecret: 'jwt-secret', encryptionKey: 'encryption-key' } as const

const secretBytes = 32
const minSecretLength = 16

/** The secrets of this instance. DATA_DIR is touched only for what the environment doesn't give. */
export async function loadSecrets(
  config: Pick<Config, 'dataDir' | 'jwtSecret' | 'encryptionKey'>,
  random: Random,
): Promise<Secrets> {
  return {
    jwtSecret: config.jwtSecret ?? (await keptSecret(config.dataDir, secretFiles.jwtSecret, random)),
    encryptionKey:
      config.encryptionKey ?? (await keptSecret(config.dataDir, secretFiles.encryptionKey, random)),
  }
}

/** The secrets that are there, without making any. */
export async function findSecrets(
  config: Pick<Config, 'dataDir' | 'jwtSecret' | 'encryptionKey'>,
): Promise<Partial<Secrets>> {
  const kept = (name: string) => readSecret(join(config.dataDir, name))
  return {
    jwtSecret: config.jwtSecret ?? (await kept(secretFiles.jwtSecret)),
    encryptionKey: config.encryptionKey ?? (await kept(secretFiles.encryptionKey)),
  }
}

/** Writes secrets into DATA_DIR where there are none; those that are there stay. */
export async function keepSecrets(dataDir: string, secrets: Secrets, random: Random): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  for (const name of ['jwtSecret', 'encryptionKey'] as const) {
    const path = join(dataDir, secretFiles[name])
    const paths = { folder: dataDir, path, draft: `${path}.${hexToken(random, 8)}` }
    if ((await readSecret(path)) === undefined) await createWhole(paths, secrets[name])
  }
}

async function keptSecret(dataDir: string, name: string, random: Random): Promise<string> {
  const path = join(dataDir, name)
  const kept = await readSecret(path)
  if (kept !== undefined) return kept
  await mkdir(dataDir, { recursive: true })
  await createWhole(
    { folder: dataDir, path, draft: `${path}.${hexToken(random, 8)}` },
    hexToken(random, secretBytes),
  )
  const made = await readSecret(path)
  if (made === undefined) throw new Error(`${path} vanished while it was being made`)
  return made
}

/** The secret in the file, undefined if there is no file. */
async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (isCode(error, 'ENOENT')) return undefined
    throw new Error(`${path} can't be read (${codeOf(error)})`, { cause: error })
  })
  if (text === undefined) return undefined
  const secret = text.trim()
  if (secret.length < minSecretLength)
    throw new Error(
      `${path} must hold a secret of at least ${minSecretLength} characters; restore it from a backup`,
    )
  await chmod(path, 0o600)
  return secret
}

/**
 * Makes the file with its whole content, durably, or leaves the one that somebody else made in the meantime: a hard link appears at
 * once and refuses to replace, so of two starts one wins and both read the same secret.
 */
async function createWhole(
  { folder, path, draft }: { folder: string; path: string; draft: string },
  secret: string,
): Promise<void> {
  try {
    await writeSynced(draft, `${secret}\n`, { flag: 'wx', mode: 0o600 })
    await link(draft, path).catch(error => {
      if (!isCode(error, 'EEXIST')) throw error
    })
    await syncFolder(folder)
  } catch (error) {
    throw new Error(`${path} can't be written (${codeOf(error)})`, { cause: error })
  } finally {
    await unlink(draft).catch(() => {}) // Only a draft that never came to be is missing here.
  }
}

const purpose = 'instance'
const mark = 'waxwing'

/** What a database keeps of the secrets it was written with. */
export interface SecretMarks {
  signed: string
  sealed: string
}

/** Null before the first start. */
export async function readSecretMarks(ctx: Pick<Context, 'sql'>): Promise<SecretMarks | null> {
  const [table] = await ctx.sql<{ exists: boolean }[]>`select to_regclass('instance') is not null as exists`
  if (!table?.exists) return null
  const [row] = await ctx.sql<SecretMarks[]>`select signed, sealed from instance where id = 1`
  return row ?? null
}

/** Binds a new database to the secrets of `ctx`; throws, saying which secret is foreign, where it is bound to others. */
export async function claimSecrets(ctx: Context): Promise<void> {
  await ctx.sql`
    insert into instance (id, signed, sealed, created_at, database_id, generation)
    values (1, ${ctx.vault.sign(purpose, mark)}, ${ctx.vault.seal(purpose, mark)}, ${ctx.clock.now()}, ${newId(ctx)}, 0)
    on conflict (id) do nothing`
  const [row] = await ctx.sql<SecretMarks[]>`select signed, sealed from instance where id = 1`
  const foreign = row ? foreignSecrets(ctx.vault, row) : []
  if (foreign.length === 0) return
  throw new Error(
    `this database was written with another ${foreign.join(' and another ')}; start with the value it was made with ` +
      '(from the environment, or from the files that DATA_DIR held), because what is stored sealed cannot be read with any other',
  )
}

/** The names of the settings that are not the ones `row` was written with. */
export function foreignSecrets(vault: Vault, row: SecretMarks): string[] {
  const foreign: string[] = []
  if (!vault.verify(purpose, mark, row.signed)) foreign.push('JWT_SECRET')
  if (!opens(vault, row.sealed)) foreign.push('ENCRYPTION_KEY')
  return foreign
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    return vault.open(purpose, sealed) === mark
  } catch {
    return false
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | undefined)?.code ?? 'unknown fault'
}

function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
}
