// Starts a real Knot DNS server on a free port of this machine with the zones a test gives it.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counterpart } from '../support/counterpart'

const binary = '/usr/sbin/knotd'

/** False where Knot is not installed: the tests that need it are skipped. */
export const knotInstalled = Boolean(counterpart('knot', existsSync(binary)))

export interface Knot {
  /** As DNS_SERVERS wants it. */
  address: string
  stop(): Promise<void>
}

/** `zones`: the name of each zone and its records in master-file form, without the SOA. */
export async function startKnot(zones: Record<string, string>): Promise<Knot> {
  const folder = await mkdtemp(join(tmpdir(), 'knot-'))
  const port = await freePort()
  for (const [zone, records] of Object.entries(zones)) {
    const start = `$ORIGIN ${zone}.\n$TTL 60\n@ SOA ns hostmaster 1 3600 600 86400 60\n@ NS ns\nns A 127.0.0.1\n`
    await writeFile(join(folder, `${zone}.zone`), start + records)
  }
  await writeFile(join(folder, 'knot.conf'), configuration(folder, port, Object.keys(zones)))
  const process = Bun.spawn([binary, '-c', join(folder, 'knot.conf')], { stdout: 'pipe', stderr: 'pipe' })
  const said = await untilReady(process.stdout, process.stderr, Object.keys(zones).length)
  if (!said.ready) throw new Error(`knotd did not start:\n${said.text}`)
  return {
    address: `127.0.0.1:${port}`,
    stop: async () => {
      process.kill()
      await process.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, port: number, zones: string[]): string {
  const lines = [
    'server:',
    `  listen: 127.0.0.1@${port}`,
    `  rundir: "${folder}"`,
    'database:',
    `  storage: "${folder}"`,
    'log:',
    '  - target: stdout',
    '    any: info',
    'template:',
    '  - id: default',
    `    storage: "${folder}"`,
    '    file: "%s.zone"',
    '    zonefile-sync: -1',
    '    journal-content: none',
    'zone:',
    ...zones.map(zone => `  - domain: ${zone}`),
  ]
  return `${lines.join('\n')}\n`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>(resolve => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Reads the log until every zone is loaded and the server has started, or the process has ended. */
async function untilReady(
  stdout: ReadableStream<Uint8Array>,
  stderr: ReadableStream<Uint8Array>,
  zones: number,
): Promise<{ ready: boolean; text: string }> {
  let text = ''
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk)
    const loaded = text.match(/loaded, serial/g)?.length ?? 0
    if (loaded >= zones && text.includes('server started')) return { ready: true, text }
    if (/ (error|critical): /.test(text)) break
  }
  return { ready: false, text: text + (await new Response(stderr).text()) }
}
