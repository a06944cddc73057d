// Awkward SMTP servers: a scripted raw TCP server whose every answer a test decides. It keeps what it was told, so a test can
// see the exact bytes, and speaks STARTTLS and implicit TLS with a self-signed certificate made once a process.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { converse, secured, type World, type ZooMessage, type ZooOptions } from './smtp-zoo-conversation'

export interface Zoo {
  port: number
  /** Every command line, in order. */
  commands: string[]
  /** Command lines that arrived together in one piece. */
  groups: string[][]
  messages: ZooMessage[]
  /** Connections ever opened. */
  connections(): number
  openNow(): number
  change(options: Partial<ZooOptions>): void
  /** Writes to all open connections, out of turn. */
  shout(text: string): void
  /** Breaks all open connections. */
  dropAll(): void
  close(): Promise<void>
}

let pair: { key: string; cert: string } | undefined

/** A self-signed pair for localhost and 127.0.0.1. */
export function zooCertificate(): { key: string; cert: string } {
  pair ??= makeCertificate('localhost', 'DNS:localhost,IP:127.0.0.1')
  return pair
}

function makeCertificate(name: string, alternatives: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-zoo-'))
  try {
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternatives}`]
    const kind = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
    ]
    execFileSync('openssl', [...kind, ...files, ...subject], { stdio: 'ignore' })
    return {
      key: readFileSync(join(folder, 'key.pem'), 'utf8'),
      cert: readFileSync(join(folder, 'cert.pem'), 'utf8'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startZoo(given: ZooOptions = {}): Promise<Zoo> {
  const world: World = {
    options: given,
    commands: [],
    groups: [],
    messages: [],
    sockets: new Set(),
    opened: 0,
    secure: given.tls ? createSecureContext(zooCertificate()) : undefined,
  }
  const server = createServer(socket => receive(world, socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    commands: world.commands,
    groups: world.groups,
    messages: world.messages,
    connections: () => world.opened,
    openNow: () => world.sockets.size,
    change: options => {
      world.options = { ...world.options, ...options }
    },
    shout: text => {
      for (const socket of world.sockets) socket.write(text)
    },
    dropAll: () => {
      for (const socket of world.sockets) socket.destroy()
    },
    close: () => stop(server, world),
  }
}

function stop(server: Server, world: World): Promise<void> {
  for (const socket of world.sockets) socket.destroy()
  return new Promise(resolve => server.close(() => resolve()))
}

function receive(world: World, plain: Socket): void {
  const number = ++world.opened
  plain.on('error', () => {})
  world.sockets.add(plain)
  plain.on('close', () => world.sockets.delete(plain))
  converse(world, world.options.tls === 'implicit' ? secured(world, plain) : plain, number, true)
}
