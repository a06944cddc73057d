// Runs an import into a project of a test, and reads what came of it.
import type { AnyElysia } from 'elysia'
import { applySource } from '../../src/cli/import/apply'
import { applyContent } from '../../src/cli/import/content'
import { findSegments, findTopics } from '../../src/cli/import/lists'
import type { ImportSource, PeerRecord } from '../../src/cli/import/record'
import { emptyReport, type ImportReport } from '../../src/cli/import/report'
import { buildApp } from '../../src/server/app'
import type { MadeProject } from './make'
import { type Answer, request } from './request'
import type { World } from './world'

export interface ImportOptions {
  isDryRun?: boolean
  segmentsOf?: (record: PeerRecord) => string[]
  missingTopics?: 'make' | 'refuse'
  from?: string
}

type Person = [email: string, subscribed: boolean, data: Record<string, unknown>]

export interface ImportWorld {
  app: AnyElysia
  call(method: string, path: string, body?: unknown): Promise<Answer>
  run(source: ImportSource, options?: ImportOptions): Promise<ImportReport>
  people(): Promise<Person[]>
  suppressions(): Promise<Array<[email: string, reason: string, source: string]>>
}

/** `project` is asked each time: a test file may make a new one for each test. */
export function importWorld(world: World, project: () => MadeProject): ImportWorld {
  const app = buildApp(world.ctx)
  const call: ImportWorld['call'] = (method, path, body) =>
    request(app, method, path, { key: project().secretKey, body })
  return {
    app,
    call,
    async run(source, options = {}) {
      const report = emptyReport()
      world.clock.advance(1_000)
      const projectId = project().id
      const { notes, lists = [] } = (await source.outlook?.()) ?? { notes: [] }
      report.notes.push(...notes)
      await applySource(world.ctx, source, {
        ...{ projectId, isDryRun: false, segmentsOf: () => [], onBatch: () => {}, report },
        segments: await findSegments(world.ctx, projectId, lists),
        topics: await findTopics(world.ctx, projectId, options.missingTopics ?? 'make', lists),
        ...options,
      })
      const { isDryRun = false, from } = options
      const topics = await findTopics(world.ctx, projectId, 'make', lists)
      await applyContent(world.ctx, source, { projectId, isDryRun, report, topics, from })
      return report
    },
    async people() {
      const { body } = await call('GET', '/contacts?sort=email&dir=asc&limit=100')
      return body.data.map(
        (one: Record<string, unknown>) => [one['email'], one['subscribed'], one['data']] as Person,
      )
    },
    async suppressions() {
      const { body } = await call('GET', '/suppressions')
      return body.data
        .map((one: Record<string, string>) => [one['email'], one['reason'], one['source']])
        .sort()
    },
  }
}
