// docs/errors.md against the source: every code that the program can answer is explained, and none that it does not know.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPage } from '../support/page'

const root = join(import.meta.dir, '../..')
const page = readPage('docs/errors.md')

function sectionOf(title: string): string {
  return page.split(`## ${title}\n`)[1]!.split('\n## ')[0]!
}

function codesIn(section: string): string[] {
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code!).sort()
}

test('the table of codes is the list of the program', () => {
  const source = readFileSync(join(root, 'src/lib/errors.ts'), 'utf8')
  const type = source.slice(source.indexOf('export type ErrorCode'), source.indexOf('/** One faulty field'))
  const known = [...type.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code!).sort()
  expect(known.length).toBeGreaterThan(15)
  expect(codesIn(sectionOf('Codes'))).toEqual(known)
})

test('each code is answered with a status that its row names', () => {
  const rows = new Map(
    [...sectionOf('Codes').matchAll(/^\| `(\w+)` \|(.*)$/gm)].map(([, code, rest]) => [code!, rest!]),
  )
  const wrong = [...sources()].flatMap(({ path, text }) =>
    [...text.matchAll(/new AppError\(\s*(\d{3}),\s*'([A-Z_]+)'/g)]
      .filter(([, status, code]) => !rows.get(code!)?.includes(status!))
      .map(([, status, code]) => `${path}: ${code} with ${status}`),
  )
  expect(wrong).toEqual([])
})

test('the table of field codes is what the source uses', () => {
  const used = new Set<string>()
  for (const { text } of sources())
    for (const [, code] of text.matchAll(/(?:code: |, |\? |: )'([a-z]+(?:_[a-z]+)+|custom|required)'/g))
      if (fieldCode.test(code!)) used.add(code!)
  expect(codesIn(sectionOf('Codes of fields'))).toEqual([...used].sort())
})

const fieldCode =
  /^(invalid_(type|string|enum_value|\w+)|too_(small|big)|unrecognized_keys|required|reserved_event|custom|not_\w+)$/

function* sources(): Generator<{ path: string; text: string }> {
  for (const path of new Bun.Glob('src/**/*.ts').scanSync(root))
    yield { path, text: readFileSync(join(root, path), 'utf8') }
}
