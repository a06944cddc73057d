// `waxwing migrate`: brings the database up to date and exits.
import { connect, migrateDatabase } from '../server/compose'
import { readConfig } from './start'

export async function migrateCommand(): Promise<number> {
  const { config, log } = readConfig()
  const database = await connect(config, log)
  try {
    const applied = await migrateDatabase(database, log)
    console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date')
    return 0
  } finally {
    await database.close()
  }
}
