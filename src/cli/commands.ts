// The table of commands, and the usage text made from it.
import { version } from '../../package.json'
import { backup } from './backup'
import { doctor } from './doctor'
import { health } from './health'
import { help } from './help'
import { importCommand } from './import'
import { migrateCommand } from './migrate'
import { project } from './project'
import { restore } from './restore'
import { resume } from './resume'
import { send } from './send'
import { serve } from './serve'
import { user } from './user'

export interface Command {
  name: string
  /** What stands behind the name in the usage. */
  arguments?: string
  summary: string
  /** Resolves to the exit code; gets what stands behind the name on the command line. A command without `arguments` takes none. */
  run(given: string[]): Promise<number>
}

const commands: Command[] = [
  {
    name: 'serve',
    summary: 'migrate the database, then run HTTP, jobs and schedules (the default)',
    run: serve,
  },
  { name: 'migrate', summary: 'bring the database up to date and exit', run: migrateCommand },
  { name: 'doctor', summary: 'check configuration, database, DNS and mail transport', run: doctor },
  {
    name: 'backup',
    arguments: 'FILE [--verify] [--with-secrets]',
    summary: 'write everything to one file while the instance runs; - is standard output',
    run: backup,
  },
  {
    name: 'restore',
    arguments: 'FILE [--verify] [--replace] [--check]',
    summary: 'load a backup into an empty database; --check only reads the file',
    run: restore,
  },
  {
    name: 'resume',
    summary: 'let mail leave again after a restore or a copy',
    run: resume,
  },
  {
    name: 'send',
    arguments: '--to ADDRESS [--from ADDRESS]',
    summary: 'send a test mail and show what the other side answers',
    run: send,
  },
  {
    name: 'user',
    arguments: 'create EMAIL | reset-password EMAIL | list',
    summary: 'make accounts, print links to set a password, list accounts',
    run: user,
  },
  {
    name: 'project',
    arguments: 'suspend ID [--because TEXT] | resume ID | limits ID [--CATEGORY NUMBER …] | list',
    summary: 'stop a project, let it send again, set its limits (docs/billing.md), list projects',
    run: project,
  },
  {
    name: 'import',
    arguments: 'csv|listmonk|mailchimp SOURCE [--project NAME] [--dry-run]',
    summary: 'bring contacts from another program (docs/import.md); --dry-run only reports',
    run: importCommand,
  },
  {
    name: 'health',
    summary: 'ask the instance on this machine whether it is well (exit 1 if not)',
    run: health,
  },
  { name: 'version', summary: 'print the version', run: async () => print(version) },
  { name: 'help', summary: 'print commands and settings', run: async () => print(help(usage())) },
]

const aliases: Record<string, string> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
}

export function findCommand(name: string): Command | undefined {
  return commands.find(command => command.name === (aliases[name] ?? name))
}

export function usage(problem?: string): string {
  const heads = commands.map(command => `${command.name} ${command.arguments ?? ''}`.trim())
  const width = Math.max(...heads.map(head => head.length))
  const lines = commands.map(({ summary }, index) => `  ${heads[index]!.padEnd(width)}  ${summary}`)
  return [...(problem ? [problem, ''] : []), 'usage: waxwing [command] [arguments]', '', ...lines].join('\n')
}

async function print(text: string): Promise<number> {
  console.log(text)
  return 0
}
