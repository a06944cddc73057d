// Runs the commands of a page as a reader would: in a shell, with the real curl, against a real instance. A page is one session, so
// that later blocks can use what earlier ones kept. What stands in front of the real programs are three small scripts: `curl` goes to
// the instance's own port and notes status and answer, `waxwing` is the compiled program, which does so too, and `sleep` waits until nothing is due.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Block } from './page'

export interface Shell {
  folder: string
  environment: Record<string, string>
}

export interface Outcome {
  block: Block
  /** One for each curl of the block. */
  answers: Array<{ status: number; body: string }>
}

export interface PageRun {
  outcomes: Outcome[]
  code: number
  output: string
  /** The block at which the session ended. */
  last: Block | undefined
}

/** `program` is the path of the compiled one; `idleUrl` answers when no job is due. */
export function makeShell(
  folder: string,
  program: string,
  port: string,
  idleUrl: string,
  more: Record<string, string>,
): Shell {
  const programs = join(folder, 'bin')
  mkdirSync(programs, { recursive: true })
  const scripts = {
    curl: `#!/bin/bash
arguments=("\${@//localhost:3000/localhost:${port}}")
number=$(($(cat "$NOTES/count" 2>/dev/null || echo 0) + 1)); echo $number > "$NOTES/count"
"${Bun.which('curl')}" --max-time 20 --write-out '%{stderr}%{http_code}' -sS "\${arguments[@]}" 2> "$NOTES/$BLOCK.$number.status" |
  tee "$NOTES/$BLOCK.$number.body"
`,
    // Both find the instance under its own port.
    waxwing: `#!/bin/bash\nexec "${program}" "\${@//localhost:3000/localhost:${port}}"\n`,
    sleep: `#!/bin/bash\nexec "${Bun.which('curl')}" -sS --max-time 20 -o /dev/null ${idleUrl}\n`,
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(programs, name), text)
    chmodSync(join(programs, name), 0o755)
  }
  const path = `${programs}:${process.env.PATH ?? ''}`
  return { folder, environment: { PATH: path, HOME: folder, ...more } }
}

/** Runs `blocks` in one session, which ends at the first command that fails. */
export async function runPage(
  shell: Shell,
  name: string,
  blocks: Block[],
  variables: Record<string, string>,
): Promise<PageRun> {
  const notes = join(shell.folder, `notes-${name}`)
  mkdirSync(notes, { recursive: true })
  const script = blocks.map(
    (block, index) => `export BLOCK=${index}; echo ${index} > "$NOTES/block"\n${block.text}`,
  )
  const child = Bun.spawn(['bash', '-eu', '-o', 'pipefail', '-c', script.join('\n')], {
    cwd: shell.folder,
    env: { ...shell.environment, ...variables, NOTES: notes },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  const reached = existsSync(join(notes, 'block')) ? Number(readFileSync(join(notes, 'block'), 'utf8')) : -1
  const outcomes = blocks.map((block, index) => ({ block, answers: answersOf(notes, index) }))
  return { outcomes, code, output: `${out}\n${err}`, last: blocks[reached] }
}

function answersOf(notes: string, index: number): Outcome['answers'] {
  const files = [...new Bun.Glob(`${index}.*.status`).scanSync(notes)]
  const numbers = files.map(file => Number(file.split('.')[1])).sort((a, b) => a - b)
  return numbers.map(number => {
    const read = (what: string): string => readFileSync(join(notes, `${index}.${number}.${what}`), 'utf8')
    return { status: Number(read('status').slice(-3)), body: read('body') }
  })
}
