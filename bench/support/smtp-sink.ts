// Starts the SMTP sink as a process of its own and asks it how many messages it has taken.
import { join } from 'node:path'

export interface Sink {
  port: number
  count(): Promise<number>
  stop(): void
}

export async function startSink(): Promise<Sink> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'sink.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const line = async (): Promise<number> => Number((await lines.read()).value)
  const port = await line()
  return {
    port,
    count() {
      child.stdin.write('\n')
      child.stdin.flush()
      return line()
    },
    stop: () => child.kill(),
  }
}
