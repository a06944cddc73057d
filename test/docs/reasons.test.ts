// The documented reasons of emails are those of the program.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emailReasons, reasonMeanings } from '../../src/platform/transports/reason'

test('docs/sending.md lists every reason of an email with its meaning', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/sending.md'), 'utf8')
  const table = page.slice(
    page.indexOf('### Why an email waits'),
    page.indexOf('### The source of a message'),
  )
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(rows.slice(1)).toEqual(emailReasons.map(code => [code, reasonMeanings[code].meaning]))
})
