// Starts a sink, of SMTP or of webhooks, as a process of its own and asks it what it has accepted.
import { join } from 'node:path'

/** What has been accepted so far. */
export interface Tally {
  messages: number
  bytes: number
  /** Recipients at slow.example. */
  slow: number
}

export interface Sink {
  port: number
  pid: number
  /** Messages so far. */
  count(): Promise<number>
  tally(): Promise<Tally>
  stop(): void
}

/** With a pause it takes so many milliseconds for each message. */
export async function startSink(kind: 'sink' | 'http-sink' = 'sink', pauseMs = 0): Promise<Sink> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${kind}.ts`), String(pauseMs)], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const line = async (): Promise<string> => (await lines.read()).value!
  const port = Number(await line())
  async function tally(): Promise<Tally> {
    child.stdin.write('\n')
    child.stdin.flush()
    const [messages = 0, bytes = 0, slow = 0] = (await line()).split(' ').map(Number)
    return { messages, bytes, slow }
  }
  return {
    port,
    pid: child.pid,
    tally,
    count: async () => (await tally()).messages,
    stop: () => child.kill(),
  }
}
