// Checks that a built binary works on this machine: `bun scripts/smoke.ts dist/waxwing-linux-x64` starts it in an empty folder, asks for
// its health, writes and checks a backup, and stops it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, join } from 'node:path'

const binary = absolute(process.argv[2] ?? 'dist/waxwing')
const folder = mkdtempSync(join(tmpdir(), 'waxwing-smoke-'))
// When root runs it, the database belongs to another user, who must be able to enter the folder.
chmodSync(folder, 0o755)
const env = { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' }

/** Goes on reading afterwards, because a program whose output nobody reads would block. */
function ready(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const read = async (): Promise<void> => {
    let log = ''
    const decoder = new TextDecoder()
    for await (const piece of stderr) {
      log += decoder.decode(piece, { stream: true })
      const port = /^listening on http:\/\/\S+:(\d+)$/m.exec(log)?.[1]
      if (port) resolve(`http://127.0.0.1:${port}`)
    }
    reject(new Error(`it ended before it listened: ${log}`))
  }
  void read()
  return promise
}

function run(...args: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([binary, ...args], { cwd: folder, env })
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: code ${exitCode}: ${stdout}${stderr}`)
  console.log(stdout.toString().trim().split('\n')[0])
}

try {
  run('version')
  const server = Bun.spawn([binary], { cwd: folder, env, stderr: 'pipe', stdout: 'ignore' })
  const url = await ready(server.stderr)
  const health = await fetch(`${url}/health`)
  if (!health.ok) throw new Error(`health: ${health.status} ${await health.text()}`)
  run('backup', join(folder, 'one.wxb'), '--verify')
  server.kill('SIGTERM')
  const code = await server.exited
  if (code !== 0) throw new Error(`it stopped with code ${code}`)
  console.log('it starts, answers, writes a backup and stops')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
