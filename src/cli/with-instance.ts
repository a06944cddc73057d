// How commands work on an instance's data: alongside it while it runs, or on their own while it does not.

import { createInterface } from 'node:readline/promises'
import { selectClosedProjects } from '../modules/accounts/projects'
import { listProjectStates } from '../modules/oversight/security'
import type { Context } from '../platform/context'
import {
  buildContext,
  connectBeside,
  migrateDatabase,
  missingMigrations,
  requireDatabase,
} from '../server/compose'
import { readConfig } from './start'

/** `mayBeNew`: a database that is not there yet is made. */
export async function withInstance(
  { mayBeNew }: { mayBeNew: boolean },
  work: (ctx: Context) => Promise<number>,
): Promise<number> {
  const { config, log } = readConfig()
  if (!mayBeNew) requireDatabase(config)
  const database = await connectBeside(config, log)
  try {
    // A database that only we use would be brought up to date by nobody else.
    if (database.soleOwner) await migrateDatabase(database, log)
    else if ((await missingMigrations(database)).length > 0)
      throw new Error('the database is not up to date: start Waxwing once, or run "waxwing migrate"')
    const ctx = await buildContext(config, database, log)
    try {
      return await work(ctx)
    } finally {
      await ctx.mail.close()
    }
  } finally {
    await database.close()
  }
}

export interface FoundProject {
  id: string
  name: string
}

const shownProjects = 10

/** By id or by name; if there is only one it need not be named. */
export async function findProject(ctx: Context, asked: string | undefined): Promise<FoundProject> {
  const found: FoundProject[] = []
  for await (const project of listProjectStates(ctx))
    if (asked === undefined || project.id === asked.toLowerCase() || project.name === asked)
      found.push(project)
  const [only] = found
  if (found.length > 1) {
    const list = found.slice(0, shownProjects).map(({ id, name }) => `  ${id}  ${name}`)
    throw new Error(`choose one of these ids with --project:\n${list.join('\n')}`)
  }
  if (!only) throw new Error(asked === undefined ? 'there is no project yet' : `there is no project ${asked}`)
  if ((await selectClosedProjects(ctx, 1_000)).includes(only.id))
    throw new Error(`the project ${only.name} is being emptied: try again later`)
  return only
}

/** Throws `otherwise` unless the answer is yes. */
export async function askFor(question: string, otherwise: string): Promise<void> {
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await ask.question(`${question} [y/N] `)
  ask.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error(otherwise)
}
