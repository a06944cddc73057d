// The recipes of src/recipes.md as what they ask for, and a copy of the repository in which they are followed.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '../..')

type Step =
  | { kind: 'file'; path: string; text: string }
  | { kind: 'hunk'; path: string; before: string; after: string }
  | { kind: 'command'; text: string }

export interface Recipe {
  title: string
  steps: Step[]
}

/** Each heading with code below it. */
export function readRecipes(text: string): Recipe[] {
  const parts = text.split(/^## /m).slice(1)
  const recipes = parts.map(part => ({ title: part.slice(0, part.indexOf('\n')), steps: stepsOf(part) }))
  return recipes.filter(({ steps }) => steps.length > 0)
}

function stepsOf(part: string): Step[] {
  const blocks = part.matchAll(/^(?:`([^`\n]+)`, new:\n\n)?```(\w+)\n([\s\S]*?)^```$/gm)
  return [...blocks].flatMap(([, path, language, text]): Step[] => {
    if (language === 'sh')
      return text!
        .trim()
        .split('\n')
        .map(line => ({ kind: 'command', text: line }))
    if (language === 'diff') return text!.split(/^@@ /m).slice(1).map(hunkOf)
    if (!path) throw new Error(`a block of ${language} does not say where it belongs: ${text!.slice(0, 60)}`)
    return [{ kind: 'file', path, text: text! }]
  })
}

function hunkOf(text: string): Step {
  const [path, ...lines] = text.trimEnd().split('\n')
  const side = (sign: string): string =>
    lines
      .filter(line => line === '' || line[0] === ' ' || line[0] === sign)
      .map(line => `${line.slice(1)}\n`)
      .join('')
  return { kind: 'hunk', path: path!, before: side('-'), after: side('+') }
}

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

export interface Copy {
  folder: string
  /** Throws where a step does not fit what is there. */
  follow(step: Step): Promise<void>
  run(command: string): Promise<void>
  remove(): void
}

/** What git would take, what is there already of the files that are made, and the packages by a link. */
export function copyRepository(environment: Record<string, string | undefined>): Copy {
  // Who has only run tests has no types of the API's client yet, which are checked with the rest.
  const made = Bun.spawnSync([process.execPath, 'scripts/ensure-assets.ts'], { cwd: root })
  if (!made.success) throw new Error(made.stderr.toString())
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-recipes-'))
  const list = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  const names = list.stdout
    .toString()
    .split('\0')
    .filter(name => name !== '' && existsSync(join(root, name)))
  for (const name of [...names, '.cache'])
    cpSync(join(root, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const run = async (command: string): Promise<void> => {
    const child = Bun.spawn(['sh', '-c', command], {
      cwd: folder,
      env: environment,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [said = '', complained = ''] = await Promise.all([child.stdout, child.stderr].map(textOf))
    if ((await child.exited) !== 0)
      throw new Error(`${command}\n${said.slice(-6_000)}\n${complained.slice(-6_000)}`)
  }
  return {
    folder,
    run,
    follow: async step => (step.kind === 'command' ? await run(step.text) : write(folder, step)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function write(folder: string, step: Exclude<Step, { kind: 'command' }>): void {
  const path = join(folder, step.path)
  if (step.kind === 'file') {
    if (existsSync(path)) throw new Error(`${step.path} is there already`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, step.text)
    return
  }
  const parts = readFileSync(path, 'utf8').split(step.before)
  if (parts.length !== 2)
    throw new Error(`${step.path} has these lines ${parts.length - 1} times:\n${step.before}`)
  writeFileSync(path, parts.join(step.after))
}
