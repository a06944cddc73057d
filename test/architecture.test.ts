// Rules of the layout that a reader can't hold in the head, checked on every file of src/. Who may import whom: modules.test.ts.
import { describe, expect, test } from 'bun:test'
import {
  dashboard,
  everything,
  files,
  importsOf,
  isDashboard,
  packagesOf,
  roleOf,
  texts,
} from './support/sources'

/** Where the outside world may be met: what wires the program, and the edge of HTTP. */
const isTop = (path: string): boolean =>
  !/^src\/(lib|mail|liquid|filters|tracking|platform|http|modules)\//.test(path)
const isEdge = (path: string): boolean =>
  isTop(path) ||
  path.startsWith('src/http/') ||
  (path.startsWith('src/modules/') && ['model', 'routes', 'guard'].includes(roleOf(path)))

test('the dashboard and the program import nothing of each other', () => {
  const across = everything.flatMap(from =>
    importsOf(from)
      .filter(to => isDashboard(to) !== isDashboard(from))
      .map(to => `${from} imports ${to}`),
  )
  expect(dashboard.length).toBeGreaterThan(20)
  expect(across).toEqual([])
})

test('a page of the dashboard imports no other page', () => {
  const pageOf = (path: string): string | undefined => /^src\/dashboard\/pages\/([^/]+)\//.exec(path)?.[1]
  const wrong = dashboard.flatMap(from =>
    importsOf(from)
      .filter(to => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to))
      .map(to => `${from} imports ${to}`),
  )
  expect(wrong).toEqual([])
})

test('the dashboard asks the server through its client alone, and puts no HTML into the page', () => {
  // Programs of readers, shown as text.
  const samples = 'src/dashboard/pages/reference/samples.ts'
  const wrong = dashboard.filter(
    path =>
      path !== samples &&
      codeLines(path).some(({ text }) =>
        /(?<![.\w])fetch\(|XMLHttpRequest|dangerouslySetInnerHTML|innerHTML/.test(text),
      ),
  )
  expect(wrong).toEqual([])
})

/** What may be written only in few places: the outside world comes in through the Context. */
const homes: Array<[rule: string, pattern: RegExp, allowed: (path: string) => boolean]> = [
  ['the clock is read', /\bDate\.now\b|new Date\(\)/, path => path === 'src/server/compose.ts'],
  [
    'chance is drawn',
    /\bMath\.random\b|randomBytes|randomUUID/,
    path => path === 'src/server/compose.ts' || path === 'src/platform/secrets.ts',
  ],
  [
    'the environment is read',
    /\bprocess\.env\b|\bBun\.env\b/,
    path =>
      ['src/settings/config.ts', 'src/main.ts', 'src/cli/start.ts'].includes(path) ||
      path === 'src/platform/db/embedded.ts',
  ],
  ['names are resolved by the system', /node:dns/, () => false],
  [
    'HTTP requests are made',
    /(?<![.\w])fetch\(/,
    // Two ask an instance on this machine: by its port, and by its socket. The third only writes code for others to run. The fourth asks
    // the program that the operator moves here from.
    path =>
      ['src/cli/health.ts', 'src/server/control.ts', 'src/modules/api/meta/samples.ts'].includes(path) ||
      path === 'src/cli/import/api.ts' ||
      // Doctor asks as others would: the instance by its port, and its public address.
      path === 'src/server/checks/instance.ts',
  ],
  ['SQL is spliced from text', /\bsql\.raw\b/, () => false],
  [
    'a sentence decides; elsewhere codes are compared',
    // English of several words in a comparison, a sentence that is searched or cut, or an error known by its name or words.
    /(?:startsWith|endsWith|includes|indexOf)\(['"`][A-Za-z][a-z]+ [a-z]|[!=]== ['"][A-Za-z][a-z]+ [a-z]|\b(?:error|cause|fault)!?\??\.message [!=]==|\b(?:error|lastError)!?\??\.(?:startsWith|endsWith|includes|match|replace)\(|\bmessage!?\??\.(?:startsWith|endsWith|includes|match)\(|\bstarts_with\((?:\w+\.)?(?:error|reason)\b|\b\w\.(?:error|reason) (?:i?like|~\*?) |\.name [!=]== '\w*Error'/,
    path =>
      // Words of the browser, of Elysia and of SQL, and the name of a part of a database.
      path === 'src/dashboard/api/client.ts' ||
      /^src\/http\/(?:errors|openapi\/operation)\.ts$/.test(path) ||
      path.startsWith('src/platform/db/migration/') ||
      path === 'src/server/checks/database.ts',
  ],
  [
    'the codes of a mail server get a meaning',
    // A reply code or an enhanced one that is compared, in the program or in SQL, or stands in a list.
    /\bcode!?\s*(?:[!=]==?|[<>]=?|=)\s*[245]\d\d\b|\benhanced\b[^,;]{0,20}(?:[!=]==?\s*['"]|\bin \(|startsWith|endsWith)|startsWith\('[245]\.|\[\s*'[245]\.\d/,
    // Where SMTP itself is spoken, as a client and as a server.
    path =>
      path.startsWith('src/mail/bounces/') ||
      path.startsWith('src/mail/smtp/') ||
      path === 'src/platform/transports/smtp.ts' ||
      path.startsWith('src/platform/smtp-server/'),
  ],
  [
    'the database is asked',
    /\b(ctx|tx)\.(sql[`<]|db\.)/,
    path => /\/queries(\.ts$|\/)/.test(path) || path.startsWith('src/platform/') || isTop(path),
  ],
]

const nowhere: Array<[rule: string, pattern: RegExp]> = [
  ['types are switched off', /@ts-ignore|@ts-nocheck|(?::|\bas|<)\s*any\b/],
  ['work is left for later', /\b(TODO|FIXME|XXX)\b/],
]

test.each(nowhere)('nowhere: %s', (_rule, pattern) => {
  expect(everything.filter(path => codeLines(path).some(({ text }) => pattern.test(text)))).toEqual([])
})

test('a record of any keys takes any: the pattern of a plain text as key drops members whose names hold a line break', () => {
  const narrow = files.filter(path => /\bRecord\(\s*(t|Type)\.String\(/.test(texts.get(path)!))
  expect(narrow).toEqual([])
})

describe('only in its home', () => {
  test.each(homes)('%s', (_rule, pattern, allowed) => {
    const found = files
      .filter(path => !allowed(path))
      .flatMap(path =>
        codeLines(path)
          .filter(({ text }) => pattern.test(text))
          .map(({ number }) => `${path}:${number}`),
      )
    expect(found).toEqual([])
  })
})

/** Lines without what follows `//` and without lines of doc comments. */
function codeLines(path: string): Array<{ text: string; number: number }> {
  return texts
    .get(path)!
    .split('\n')
    .map((line, index) => ({ text: /^\s*(\*|\/\*|\/\/)/.test(line) ? '' : line, number: index + 1 }))
}

test('Elysia stays at the edge: models, routes, http and the application', () => {
  const wrong = files.filter(path => {
    return !isEdge(path) && packagesOf(path).some(name => name === 'elysia' || name.startsWith('@elysiajs/'))
  })
  expect(wrong).toEqual([])
})

test('raw clients stay in the database folder', () => {
  const wrong = files.filter(
    path => !path.startsWith('src/platform/db/') && packagesOf(path).some(name => name === 'postgres'),
  )
  expect(wrong).toEqual([])
})

/** The index of migrations, as long as there are migrations. */
const generated = 'src/platform/db/migrations.ts'

test('no file has more than 300 lines', () => {
  const long = everything.filter(path => path !== generated && lineCount(path) > 300)
  expect(long.map(path => `${path}: ${lineCount(path)}`)).toEqual([])
})

function lineCount(path: string): number {
  return texts.get(path)!.trimEnd().split('\n').length
}

/** Conventions that give a file its name however little it holds. */
const namedByConvention: Array<[convention: string, pattern: RegExp]> = [
  [
    'a role of a module, or a part of it',
    /\/([\w-]+-)?(schema|model|kinds|hooks|queries|routes|jobs|index|letter)\.ts$/,
  ],
  [
    'one use case, statement or handler a file',
    /^src\/(modules|platform)\/.*\/(service|queries|guard|routes|jobs)\//,
  ],
  ['one function a file', /^src\/lib\//],
  ['one element or hook a file', /^src\/dashboard\/(ui\/[\w-]+\.ts|.*\.tsx)$/],
  ['the questions about one resource', /^src\/dashboard\/api\//],
  ['the same files for each language', /^src\/dashboard\/texts\//],
  ['a program of its own in the page', /^src\/dashboard\/app\/theme-at-start\.ts$/],
  ['what each schema.ts is made of', /^src\/platform\/db\/columns\.ts$/],
  ['a program of a thread', /^src\/[a-z]+-worker\.ts$/],
]

test('a file of fewer than 15 lines is one that a convention names', () => {
  const short = everything.filter(path => path !== generated && lineCount(path) < 15)
  const byChance = short.filter(path => !namedByConvention.some(([, pattern]) => pattern.test(path)))
  expect(byChance.map(path => `${path}: ${lineCount(path)}`)).toEqual([])
})

test('every file opens with what it is for', () => {
  const silent = everything.filter(path => !/^(\/\/|\/\*\*|#!)/.test(texts.get(path)!))
  expect(silent).toEqual([])
})

test('no folder is named after nothing', () => {
  expect(everything.filter(path => /\/(utils?|helpers?|common|misc|shared)(\/|\.ts$)/.test(path))).toEqual([])
})
