// What a project has already, by name, and what became of the items of a source, by their keys there.
import { AppError } from '../../lib/errors'
import type { Context } from '../../platform/context'
import type { ContentItem, ContentKind } from './record'

type Named = Exclude<ContentItem, { kind: 'nothing' }>

export interface KnownContent {
  /** Names that occur twice in the source are numbered, in its order. */
  nameFor(item: Named): string
  idOf(kind: ContentKind, name: string): string | undefined
  remember(item: Named, name: string, id: string): void
  /** By the key that the source has for it. Throws AppError where it is not here. */
  requireKey(kind: ContentKind, key: string): string
}

const longestName: Record<ContentKind, number> = {
  layout: 100,
  template: 100,
  segment: 100,
  campaign: 200,
  workflow: 100,
}

export async function findContent(ctx: Context, projectId: string): Promise<KnownContent> {
  const ids = new Map<string, string>()
  for (const { kind, name, id } of await selectNames(ctx, projectId)) ids.set(mark(kind, name), id)
  const keys = new Map<string, string>()
  const given = new Map<string, number>()
  return {
    nameFor({ kind, name: asked }) {
      const longest = longestName[kind]
      const name = asked.trim().slice(0, longest).trim().toWellFormed() || 'Without a name'
      const times = (given.get(mark(kind, name)) ?? 0) + 1
      given.set(mark(kind, name), times)
      const suffix = times === 1 ? '' : ` (${times})`
      return `${name.slice(0, longest - suffix.length)}${suffix}`
    },
    idOf: (kind, name) => ids.get(mark(kind, name)),
    remember({ kind, key }, name, id) {
      ids.set(mark(kind, name), id)
      keys.set(mark(kind, key), id)
    },
    requireKey(kind, key) {
      const id = keys.get(mark(kind, key))
      if (id === undefined) throw notTaken(`its ${kind} was not taken`)
      return id
    },
  }
}

/** Like a fault that a person would be told while saving it. */
export function notTaken(message: string): AppError {
  return new AppError(422, 'VALIDATION_ERROR', message)
}

const mark = (kind: string, name: string): string => `${kind} ${name}`

/** The oldest of each name comes last, and wins. */
async function selectNames(
  ctx: Context,
  projectId: string,
): Promise<ReadonlyArray<{ kind: string; name: string; id: string }>> {
  return await ctx.sql<{ kind: string; name: string; id: string }[]>`
    select 'layout' as kind, name, id from layouts where project_id = ${projectId}
    union all select 'template', name, id from templates where project_id = ${projectId}
    union all select 'segment', name, id from segments where project_id = ${projectId}
    union all select 'campaign', name, id from campaigns where project_id = ${projectId}
    union all select 'workflow', name, id from workflows where project_id = ${projectId}
    order by id desc`
}
