// The two secrets of an instance in backups: whether those found here belong to the data, and how they travel in the file.

import { makeVault } from '../lib/vault'
import { findSecrets, foreignSecrets, keepSecrets, type SecretMarks, type Secrets } from '../platform/secrets'
import type { Config } from '../settings/config'
import { systemRandom } from './compose'

/** Both secrets; throws where one is missing, or is not the one that the data were written with. */
export async function secretsFor(config: Config, marks: SecretMarks | null): Promise<Secrets> {
  const { jwtSecret, encryptionKey } = await findSecrets(config)
  if (jwtSecret === undefined || encryptionKey === undefined)
    throw new Error(
      `the secrets are neither in the environment nor in ${config.dataDir}: run this where the instance runs`,
    )
  const foreign = marks ? await foreignHere(config, marks) : []
  if (foreign.length > 0)
    throw new Error(`the ${foreign.join(' and the ')} found here belongs to another database`)
  return { jwtSecret, encryptionKey }
}

/** The names of the settings that are found here and are not the ones of `marks`; what is not there yet is not foreign. */
export async function foreignHere(config: Config, marks: SecretMarks): Promise<string[]> {
  const found = await findSecrets(config)
  const { jwtSecret = '', encryptionKey = '' } = found
  const foreign = foreignSecrets(makeVault({ jwtSecret, encryptionKey }, systemRandom), marks)
  return foreign.filter(name => (name === 'JWT_SECRET' ? jwtSecret : encryptionKey) !== '')
}

/** What a backup brings, into DATA_DIR; nothing where the environment gives both. */
export async function keepBrought(config: Config, content: unknown): Promise<void> {
  if (config.jwtSecret !== undefined && config.encryptionKey !== undefined) return
  const { jwtSecret, encryptionKey } = content as Partial<Secrets>
  if (typeof jwtSecret !== 'string' || typeof encryptionKey !== 'string')
    throw new Error('the backup is damaged: its secrets are not text')
  await keepSecrets(config.dataDir, { jwtSecret, encryptionKey }, systemRandom)
}
