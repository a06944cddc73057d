// Which PostgreSQL will do.
import type postgres from 'postgres'

/** Throws a clear line when the server is older than PostgreSQL 15. */
export async function requireVersion(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  refuseOldServer(Number(row?.version ?? 0))
}

/** `version` as in server_version_num: 150004 is 15.4. */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < 15) throw new Error(`PostgreSQL ${major} is too old; Waxwing needs 15 or newer`)
}
