// What test-run.test.ts runs: a file that makes a database, says where, and neither drops it nor passes.
import { expect, test } from 'bun:test'
import { cloneDatabase } from '../support/database'

test('leaves its database behind', async () => {
  const { url } = await cloneDatabase()
  console.log(url)
  if (process.env['HANGS']) await new Promise(() => {})
  expect(url).toBe('another')
})
