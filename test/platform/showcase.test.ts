// The instance that looks lived in: its story is told once a run and cloned, and no instance finds the address of another in its clone.
import { expect, test } from 'bun:test'
import type { TestDatabase } from '../support/database'
import { type Showcase, startShowcase } from '../support/showcase'
import { cloneStory } from '../support/showcase/kept'

/** Tables that hold a text anywhere in their rows. */
async function tablesWith(database: TestDatabase, text: string) {
  const tables = await database.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.sql`
      select from ${database.sql(name)} as told where strpos(told::text, ${text}) > 0 limit 1`
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('a clone has the address of its own instance, and no other', async () => {
  const { database } = await cloneStory('http://127.0.0.1:4321')
  try {
    expect(await tablesWith(database, 'showcase.invalid')).toEqual([])
    expect(await tablesWith(database, '127.0.0.1:4321')).toEqual(['emails'])
  } finally {
    await database.drop()
  }
}, 300_000)

async function signIn({ url, email, password }: Showcase): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  return answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}

test('its owner signs in, and what one instance changes the other does not see', async () => {
  const [one, other] = [await startShowcase(), await startShowcase()]
  try {
    expect(new URL(one.home).pathname).toBe(new URL(other.home).pathname)
    const counts: number[] = []
    for (const each of [one, other]) {
      const headers = { cookie: await signIn(each), 'content-type': 'application/json', origin: each.url }
      const path = `${each.url}/users/@me/projects`
      if (each === one)
        await fetch(path, { method: 'POST', headers, body: JSON.stringify({ name: 'Third' }) })
      counts.push(((await (await fetch(path, { headers })).json()) as unknown[]).length)
    }
    expect(counts).toEqual([3, 2])
  } finally {
    await one.stop()
    await other.stop()
  }
}, 300_000)
