// Starts the recording SMTP sink as a process of its own and talks to it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recorded } from './recorder'

export interface RecordingSink {
  /** In the form of SMTP_URL. */
  url: string
  /** Messages taken so far. */
  count(): Promise<number>
  /** From now on everything is answered with 421, even on connections that are open. */
  refuse(): Promise<number>
  accept(): Promise<number>
  /** Everything that was accepted, in the order of arrival, and the first messages in full. */
  dump(): Promise<{ recorded: Recorded[]; samples: string[] }>
  stop(): void
}

export async function startRecordingSink(): Promise<RecordingSink> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'recorder.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const port = Number((await lines.read()).value)
  let turn: Promise<unknown> = Promise.resolve()
  // One question at a time: answers carry no name.
  const ask = (line: string): Promise<number> => {
    const answer = turn.then(async () => {
      child.stdin.write(`${line}\n`)
      child.stdin.flush()
      return Number((await lines.read()).value)
    })
    turn = answer.catch(() => {})
    return answer
  }
  return {
    url: `smtp://127.0.0.1:${port}?pool=10`,
    count: () => ask('count'),
    refuse: () => ask('refuse'),
    accept: () => ask('accept'),
    async dump() {
      const folder = mkdtempSync(join(tmpdir(), 'waxwing-sink-'))
      try {
        await ask(`dump ${join(folder, 'dump.json')}`)
        return JSON.parse(readFileSync(join(folder, 'dump.json'), 'utf8'))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    stop: () => child.kill(),
  }
}
