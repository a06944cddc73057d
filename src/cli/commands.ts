// The table of commands, and the usage text made from it.
import { fullVersion } from '../platform/build'
import { allSettings } from '../settings/config'
import { defaultText } from '../settings/setting'
import { type Flags, UsageFault } from './arguments'
import { backup, backupFlags } from './backup'
import { contact, contactFlags } from './contact'
import { doctor } from './doctor'
import { health } from './health'
import { importCommand, importFlags } from './import'
import { sourceNames } from './import/sources'
import { migrateCommand, migrateFlags } from './migrate'
import { partition, partitionFlags } from './partition'
import { project, projectFlags } from './project'
import { restore, restoreFlags } from './restore'
import { resume } from './resume'
import { send, sendFlags } from './send'
import { serve } from './serve'
import { user } from './user'

export interface Command {
  name: string
  /** What follows the name in the usage. */
  arguments?: string
  flags?: Flags
  summary: string
  /** More than the summary, for its own help. */
  details?: string
  /** Resolves to the exit code; is given what follows the name on the command line. A command without `arguments` takes none. */
  run(given: string[]): Promise<number>
}

export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'migrate the database, then run HTTP, jobs and schedules (the default)',
    run: serve,
  },
  {
    name: 'migrate',
    arguments: '[--plan]',
    flags: migrateFlags,
    summary: 'bring the database up to date and exit; --plan only says what that means',
    details:
      'Run it with the new program while instances of the old one go on: a release only adds to the database, unless CHANGELOG.md says otherwise.',
    run: migrateCommand,
  },
  {
    name: 'partition',
    arguments: '[status] [TABLE…] [--dry-run] [--yes]',
    flags: partitionFlags,
    summary: 'split events, emails and email_attempts by month (docs/scaling.md); status lists the months',
    details:
      'Works while instances run: each table is read once and then locked for a moment. If it was stopped, run it again; it goes on from there.',
    run: partition,
  },
  {
    name: 'doctor',
    summary: 'check configuration, database, DNS and mail transport',
    details:
      'A line for each finding; exit 1 if one of them is FAIL. Where an instance runs on DATA_DIR, its settings count and not those of the shell.',
    run: doctor,
  },
  {
    name: 'backup',
    arguments: 'FILE [--verify] [--with-secrets]',
    flags: backupFlags,
    summary: 'write everything to one file while the instance runs; - is standard output',
    run: backup,
  },
  {
    name: 'restore',
    arguments: 'FILE [--verify] [--replace] [--check]',
    flags: restoreFlags,
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
    arguments: '--to ADDRESS [--from ADDRESS] [--transport NAME]',
    flags: sendFlags,
    summary: 'send a test mail and show what the other side answers',
    run: send,
  },
  {
    name: 'user',
    arguments: 'create EMAIL | reset-password EMAIL | remove-second-factor EMAIL | list',
    summary: 'create accounts, print links to set a password, let somebody in without a code, list accounts',
    run: user,
  },
  {
    name: 'project',
    arguments: 'suspend ID [--because TEXT] | resume ID | limits ID [--CATEGORY NUMBER …] | list',
    flags: projectFlags,
    summary: 'stop a project, let it send again, set its limits (docs/billing.md), list projects',
    run: project,
  },
  {
    name: 'contact',
    arguments: 'erase EMAIL [--project NAME] [--yes]',
    flags: contactFlags,
    summary: 'erase a person who asks for it; the address stays suppressed (docs/retention.md)',
    run: contact,
  },
  {
    name: 'import',
    arguments: `${sourceNames.join('|')} SOURCE [--project NAME] [--dry-run]`,
    flags: importFlags,
    summary: 'import contacts from another program (docs/import.md); --dry-run only reports',
    run: importCommand,
  },
  {
    name: 'health',
    summary: 'ask the instance on this machine whether it is healthy (exit 1 if not)',
    details:
      'A worker without METRICS_PORT has no HTTP: then the database is asked whether a worker is alive.',
    run: health,
  },
  { name: 'version', summary: 'print the version and the build', run: async () => print(fullVersion) },
  {
    name: 'help',
    arguments: '[COMMAND]',
    summary: 'print commands and settings, or what one command takes',
    run: helpAbout,
  },
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

/** One line for each command, below the `problem`. */
export function usage(problem?: string): string {
  const heads = commands.map(headOf)
  const width = Math.max(...heads.map(head => head.length))
  const lines = commands.map(({ summary }, index) => `  ${heads[index]!.padEnd(width)}  ${summary}`)
  const about = [
    '',
    '"waxwing COMMAND --help" tells more about one of them, "waxwing help" lists the settings.',
  ]
  return [...above(problem), 'usage: waxwing [command] [arguments]', '', ...lines, ...about].join('\n')
}

/** What one command takes; `problem` is what was wrong with it. */
export function usageOf(command: Command, problem: string): string {
  return [
    ...above(problem),
    `usage: waxwing ${headOf(command)}`,
    `"waxwing ${command.name} --help" says more.`,
  ].join('\n')
}

export function helpOf(command: Command): string {
  const flags = Object.entries(command.flags ?? {}).map(([name, { value, description }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    description,
  ])
  const rows = [...flags, ['--help', 'print this']]
  const width = Math.max(...rows.map(([head]) => head!.length))
  const options = rows.map(([head, says]) => `  ${head!.padEnd(width)}  ${says}`)
  const settings =
    'Settings come from the environment, or a .env file in the working directory: "waxwing help" lists them.'
  return [
    `usage: waxwing ${headOf(command)}`,
    '',
    `${command.summary}.`,
    ...(command.details ? [command.details] : []),
    '',
    ...options,
    '',
    settings,
  ].join('\n')
}

function headOf(command: Command): string {
  return `${command.name} ${command.arguments ?? ''}`.trim()
}

function above(problem: string | undefined): string[] {
  return problem ? [problem, ''] : []
}

async function helpAbout([name, ...more]: string[]): Promise<number> {
  if (name === undefined) return print(help(usage()))
  const command = findCommand(name)
  if (!command) throw new UsageFault(`unknown command: ${name}`)
  if (more.length > 0) throw new UsageFault(`unexpected argument: ${more[0]}`)
  return print(helpOf(command))
}

async function print(text: string): Promise<number> {
  console.log(text)
  return 0
}

export function help(usage: string): string {
  const width = Math.max(...allSettings.map(({ name }) => name.length))
  const settings = allSettings.map(setting => {
    const shown = defaultText(setting)
    return `  ${setting.name.padEnd(width)}  ${setting.meaning}${shown ? ` [${shown}]` : ''}`
  })
  return [
    usage,
    '',
    'settings (environment variables, or a .env file in the working directory):',
    '',
    ...settings,
  ].join('\n')
}
