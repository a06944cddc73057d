// The migrated database that test files and the showcase clone, because cloning is much quicker than migrating.
import { openDatabase } from '../../src/platform/db/client'
import { migrate } from '../../src/platform/db/migrate'
import { migrations } from '../../src/platform/db/migrations'
import { databaseUrl } from './database'

/** Makes the migrated database that every test file clones. */
export async function prepareTemplate(url: string, template: string): Promise<void> {
  const admin = openDatabase(url, { max: 1 })
  await admin.sql.unsafe(`create database ${template}`)
  await admin.close()
  const client = openDatabase(databaseUrl(url, template), { max: 1 })
  await migrate(client.sql, migrations, new Date())
  await client.close()
}

export async function dropTemplate(url: string, template: string): Promise<void> {
  const admin = openDatabase(url, { max: 1 })
  await admin.sql.unsafe(`drop database if exists ${template}`)
  await admin.close()
}
