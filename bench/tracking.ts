// Redirects per second of a tracked link, each recorded, compared with a bare Bun server that answers the same 302 and records nothing.
// And what tracking adds to each message of a campaign.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeVault } from '../src/lib/vault'
import { createTemplateCache } from '../src/liquid/cache'
import { buildMime } from '../src/mail/mime/message'
import { makeBulkRenderer } from '../src/modules/sending/emails/bulk'
import { asDocument } from '../src/modules/sending/emails/document'
import { systemRandom } from '../src/server/compose'
import { trackTemplate } from '../src/tracking/template'
import { runLoad } from './support/load'
import { startProgram } from './support/program'

const rounds = 3
const target = 'https://example.com/'

async function redirectsPerSecond(url: string): Promise<number> {
  const { hostname, port, pathname } = new URL(url)
  const request = (): string =>
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: Mozilla/5.0 (bench)\r\n\r\n`
  const result = await runLoad({ host: hostname, port: Number(port), connections: 32, seconds: 3, request })
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
  return result.perSecond
}

/** In a process of its own, as ours is. */
async function startBare(): Promise<{ url: string; stop(): void }> {
  const code = `const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(null, { status: 302, headers: { location: '${target}', 'cache-control': 'no-store' } }) }); console.log(server.url.href)`
  const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  return { url: `${new TextDecoder().decode(value).trim()}t/c/x`, stop: () => child.kill() }
}

/** The tracked link of a message that was sent. */
async function trackedLink({
  url,
  secretKey,
  dataDir,
}: Awaited<ReturnType<typeof startProgram>>): Promise<string> {
  const answer = await fetch(`${url}/v1/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ to: 'ada@example.com', from: 'a@bench.example', subject: 'Hello' },
      body: `<a href="${target}">link</a>`,
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const outbox = join(dataDir, 'outbox')
  for (let tries = 0; tries < 200; tries++) {
    const names = existsSync(outbox) ? readdirSync(outbox, { recursive: true, encoding: 'utf8' }) : []
    const file = names.find(name => name.endsWith('.eml'))
    const raw = file ? readFileSync(join(outbox, file), 'latin1').replace(/=\r\n/g, '') : ''
    const path = /\/t\/c\/[\w.-]+/.exec(raw)?.[0]
    if (path) return `${url.replace('0.0.0.0', '127.0.0.1')}${path}`
    await Bun.sleep(50)
  }
  throw new Error('the message did not arrive')
}

async function measureRedirects(): Promise<void> {
  const [program, bare] = [await startProgram(), await startBare()]
  try {
    const link = await trackedLink(program)
    let [ours, floor] = [0, 0]
    // The two alternate, and the best round of each counts, so that whatever else the machine does affects neither.
    for (let round = 0; round < rounds; round++) {
      floor = Math.max(floor, await redirectsPerSecond(bare.url))
      ours = Math.max(ours, await redirectsPerSecond(link))
    }
    // One link is hammered here, so most hits exceed what is recorded for one message.
    const metrics = await (await fetch(`${program.url}/metrics`)).text()
    console.log(`bare Bun server    ${floor.toFixed(0)} redirects/s`)
    console.log(`Waxwing, recorded  ${ours.toFixed(0)} redirects/s`)
    console.log(`ratio              ${(ours / floor).toFixed(2)}`)
    for (const line of metrics.matchAll(/^waxwing_tracking_hits_total.*$/gm)) console.log(line[0])
  } finally {
    bare.stop()
    await program.stop()
  }
}

const sentence = '<p>Some words that stand for a newsletter, and nothing to follow in this line of it.</p>\n'
const newsletter = (link: string): string =>
  `<body><h1>Hello {{name}}</h1>${`${sentence.repeat(10)}<a href="${link}">link</a>`.repeat(10)}</body>`

/** Microseconds for making one message of a campaign with ten links. */
function messageTime(body: string, tracked: boolean): number {
  const vault = makeVault(
    { encryptionKey: 'for the benchmark', jwtSecret: 'for the benchmark' },
    systemRandom,
  )
  const group = { projectId: Bun.randomUUIDv7(), groupId: Bun.randomUUIDv7() }
  const tools = { vault, baseUrl: 'https://mail.bench.example' }
  const change = tracked ? trackTemplate(tools, group, asDocument(body, 'News')) : undefined
  const render = makeBulkRenderer(createTemplateCache(), { subject: 'News', body }, change)
  const make = (): void => {
    const id = Bun.randomUUIDv7()
    const { encoded, ...content } = render({ name: 'Ada', id }, undefined, id)
    const rest = {
      from: 'a@b.example',
      to: 'c@d.example',
      headers: {},
      attachments: [],
      messageId: id,
      date: new Date(0),
    }
    buildMime({ ...rest, ...content }, encoded)
  }
  for (let n = 0; n < 1_000; n++) make()
  const startedAt = performance.now()
  for (let n = 0; n < 3_000; n++) make()
  return (performance.now() - startedAt) / 3
}

function measureMessages(): void {
  for (const [name, link] of [
    ['ten equal links', target],
    ['ten personal links', `${target}{{id}}`],
  ] as const) {
    const body = newsletter(link)
    console.log(
      `${name}: ${messageTime(body, false).toFixed(0)} µs a message, tracked ${messageTime(body, true).toFixed(0)} µs`,
    )
  }
}

if (import.meta.main) {
  measureMessages()
  await measureRedirects()
}
