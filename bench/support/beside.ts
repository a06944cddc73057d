// The built-in database of a running program, accessed from another process.
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/db/client'
import { runningServerUrl } from '../../src/platform/db/embedded'

/** Works on the database of the program with this DATA_DIR, over one connection of its own. */
export async function inDatabase<T>(
  dataDir: string,
  work: (sql: ReturnType<typeof openDatabase>['sql']) => Promise<T>,
): Promise<T> {
  const client = openDatabase(runningServerUrl(join(dataDir, 'postgres')), { max: 1 })
  try {
    return await work(client.sql)
  } finally {
    await client.close()
  }
}
