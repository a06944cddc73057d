// Starts the real program for a benchmark, with an account, a project and its keys, and stops it again.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Program extends Keys {
  url: string
  pid: number
  dataDir: string
  stop(): Promise<void>
}

export interface Keys {
  secretKey: string
  publicKey: string
}

/** How the program is called: the executable that WAXWING names, or else the source. */
export function programCommand(): string[] {
  const { WAXWING } = process.env
  return WAXWING ? [WAXWING] : [process.execPath, join(import.meta.dir, '../../src/main.ts')]
}

/**
 * `environment` is added to a bare one; the data is on disk, because durability is part of what is measured. `keys` are those from an
 * earlier start on the same DATA_DIR, which is then kept.
 */
export async function startProgram(environment: Record<string, string> = {}, keys?: Keys): Promise<Program> {
  const dataDir = environment.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  // When root starts it, the database server runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const child = Bun.spawn([...programCommand(), 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const url = await listeningUrl(child.stderr)
  const { secretKey, publicKey } = keys ?? (await makeProject(url))
  return {
    url,
    pid: child.pid,
    dataDir,
    secretKey,
    publicKey,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      if (!environment.DATA_DIR) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Reads the program's stderr until it says where it listens (a worker nowhere: an empty text), and passes the rest through. */
async function listeningUrl(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stderr.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the program ended:\n${text}`)
    text += decoder.decode(value, { stream: true })
    const port = text.match(/listening on http:\/\/\S+:(\d+)/)?.[1]
    const isWorker = text.includes('working (HTTP is off in this role)')
    if (!port && !isWorker) continue
    void passThrough(reader)
    return port ? `http://127.0.0.1:${port}` : ''
  }
}

async function passThrough(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    process.stderr.write(value)
  }
}

async function makeProject(url: string): Promise<Keys> {
  const headers = { 'content-type': 'application/json' }
  const account = JSON.stringify({ email: 'bench@example.com', password: 'a long password' })
  const signUp = await fetch(`${url}/auth/signup`, { method: 'POST', headers, body: account })
  const cookie = signUp.headers.get('set-cookie')!.split(';')[0]!
  const made = await fetch(`${url}/users/@me/projects`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'Bench' }),
  })
  const project = (await made.json()) as { secret: string; public: string }
  return { secretKey: project.secret, publicKey: project.public }
}
