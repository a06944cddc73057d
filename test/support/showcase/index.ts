// An instance that looks lived in, for pictures, for tests in a browser and for looking around (`bun run showcase`).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { second } from '../../../src/lib/time'
import type { MemoryResolver } from '../../../src/mail/dns/memory'
import { dashboardBase } from '../../../src/modules/api/meta/routes/dashboard'
import { feedbackKinds } from '../../../src/modules/sending/feedback/kinds'
import { hitRecorder } from '../../../src/modules/sending/feedback/service/record-hits'
import type { Context } from '../../../src/platform/context'
import { enqueue } from '../../../src/platform/jobs/enqueue'
import { cloneDatabase } from '../database'
import { cloneStory } from './kept'
import { email, makeStage, password, signUp } from './story'

export interface Showcase {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Of the first project's dashboard. */
  home: string
  email: string
  password: string
  /** Runs the jobs that are due now. */
  drain(): Promise<void>
  /** The names that the instance can look up. */
  dns: MemoryResolver
  /** Moves the clock on. */
  advance(ms: number): void
  /** Judges who opened and clicked, as it is done once they are quiet. */
  judge(): Promise<void>
  stop(): Promise<void>
}

/** `account` stops before the first project, `nothing` before the first account: what newcomers see. `outside` as for the stage. */
export async function startShowcase(
  filled: 'story' | 'account' | 'nothing' = 'story',
  outside: Partial<Pick<Context, 'mail' | 'payments'>> = {},
): Promise<Showcase> {
  // The address is known before the application is made, because links in mails hold it.
  let answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 })
  // A test may look at pages for longer than connections are kept by default, and a request on one that just closes fails.
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: each => answer(each) })
  const url = `http://127.0.0.1:${server.port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-showcase-'))
  const story = filled === 'story' ? await cloneStory(url) : undefined
  const database = story?.database ?? (await cloneDatabase())
  const stage = makeStage(database, { baseUrl: url, dataDir }, outside)
  stage.app.server = server
  answer = each => stage.app.handle(each)
  for (const [name, ...values] of story?.records ?? []) stage.dns.set(name, 'txt', ...values)
  if (filled === 'account') await signUp(stage, new Date())
  // From here on the time is the reader's.
  let ahead = 0
  stage.clock.now = () => new Date(Date.now() + ahead)
  await stage.drain()
  return {
    url,
    home: `${url}${dashboardBase(url)}${story?.projectId ?? ''}`,
    email,
    password,
    drain: stage.drain,
    dns: stage.dns,
    advance(ms) {
      ahead += ms
    },
    async judge() {
      await hitRecorder(stage.ctx).settled()
      ahead += 6 * second
      await enqueue(stage.ctx, feedbackKinds.classify, {})
      await stage.drain()
    },
    async stop() {
      await server.stop(true)
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
