// Templates that are written to hold up the process: each is answered within its bound while others are served, and what was stopped is
// remembered by whoever would come back to it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import type { RemoteAnswer, RemoteJob } from '../../src/liquid/costly'
import { metaRoutes } from '../../src/modules/api/meta/routes'
import { v1Routes } from '../../src/modules/api/v1/routes'
import { templatesRoutes } from '../../src/modules/sending/templates/routes'
import { replaceRenderThreads } from '../../src/modules/sending/templates/service/threads'
import { inTransaction } from '../../src/platform/context'
import { createPool } from '../../src/platform/workers/pool'
import { hostileTemplates } from '../data/hostile-templates'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { maxBlockMs, watchLoop } from '../support/longest-block'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

/** Renders within a tenth of the product's bound, and gives its memory back soon. */
const hasty = createPool<RemoteJob, RemoteAnswer>({
  start: () =>
    new Worker(new URL('../support/hasty-render-worker.ts', import.meta.url), { smol: true, ref: false }),
  size: 1,
  idleMs: 1_000,
})

let world: World
let app: AnyElysia
let project: MadeProject
beforeAll(async () => {
  world = await makeWorld()
  app = makeApplication(world.ctx, [ctx => metaRoutes(ctx, () => app), templatesRoutes, v1Routes])
})
beforeEach(async () => {
  project = await world.newProject()
})
afterAll(() => world.close())

const preview = (body: string, data: Record<string, unknown> = {}) =>
  request(app, 'POST', '/templates/preview', {
    key: project.secretKey,
    body: { subject: 'Hello', body, type: 'TRANSACTIONAL', data },
  })

test('there are at least sixty of them', () => {
  expect(hostileTemplates.length).toBeGreaterThanOrEqual(60)
})

test('a preview that is refused asks for nothing that only its answer would need', async () => {
  await inTransaction(world.ctx, async ({ sql }) => {
    await sql`lock table contact_field_totals in access exclusive mode`
    const cyclic = '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}'
    expect((await preview(cyclic)).status).toBe(422)
  })
})

const endless = `{{ name }}${'{% for i in (1..9999) %}'.repeat(3)}${'{% endfor %}'.repeat(3)}`

// Whatever a template does to get past its bound shows as well at a tenth of it; WAXWING_SLOW=1 tries all of them with the product's own, which
// the tests behind these are about in any case.
describe('a hostile template', () => {
  beforeAll(() => {
    if (process.env['WAXWING_SLOW'] !== '1') replaceRenderThreads(hasty)
  })
  afterAll(() => replaceRenderThreads())

  test.each(hostileTemplates.map(({ name, ...rest }) => [name, rest] as const))(
    '%s is answered, and holds up nobody',
    async (_name, { body, data }) => {
      const from = performance.now()
      const { result, longestMs, healthAnswers } = await watchLoop(app, () => preview(body, data))
      // Rendered after all, refused as too costly, or not readable; never a fault of ours.
      expect([200, 400, 422]).toContain(result.status)
      // Reading and answering two megabytes are in it, so is starting a thread.
      expect(longestMs).toBeLessThan(maxBlockMs)
      expect(healthAnswers).toBeGreaterThan(0)
      // Reading it is bounded to five seconds, each of three renderings to one and a half, by the clock to twice that: a third of this.
      expect(performance.now() - from).toBeLessThan(20_000)
    },
  )

  test('a project that had ten templates stopped renders nothing costly for an hour', async () => {
    for (let n = 0; n < 10; n++) await preview(`${n}{% assign x = (1..99999999) %}`)
    const costly = '{% for i in (1..40000) %}{{ i | plus: 1 | times: 2 }}{% endfor %}'
    expect((await preview(costly)).body.error.errors[0].message).toContain('not tried again')
    expect((await preview('{{ name | upcase }}', { name: 'Ada' })).status).toBe(200)
  })

  test('the messages of a campaign fail with the reason, and the campaign comes to its end', async () => {
    const on: CampaignWorld = await campaignWorld(world)
    await on.contacts(8)
    const id = await on.draft({ body: endless })
    await on.send(id)
    await on.drain()
    const rows = await on.recipients(id)
    expect(rows.map(row => row['status'])).toEqual(Array(8).fill('FAILED'))
    for (const row of rows)
      expect(String(row['lastError'])).toMatch(/^template: (takes|took) longer than a second/)
    expect(
      rows.filter(row => /not tried again/.test(String(row['lastError']))).length,
    ).toBeGreaterThanOrEqual(4)
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('SENT')
  })
})

test('/health is answered while a hostile template is rendered', async () => {
  const server = Bun.serve({ port: 0, fetch: request => app.handle(request) })
  try {
    const url = `http://localhost:${server.port}`
    const body = `{{ name }}${'{% for i in (1..9999) %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`
    const { result, longestMs, healthAnswers } = await watchLoop(app, () =>
      fetch(`${url}/v1/send`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${project.secretKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ from: sender, to: 'ada@example.com', subject: 'x', body }),
      }),
    )
    expect(result.status).toBe(422)
    expect(healthAnswers).toBeGreaterThan(5)
    expect(longestMs).toBeLessThan(maxBlockMs)
  } finally {
    await server.stop(true)
  }
})

test('a template that was stopped three times in a row is not tried again for an hour, by any process', async () => {
  const reasons: string[] = []
  for (let n = 0; n < 4; n++) reasons.push((await preview(endless)).body.error.errors[0].message)
  expect(reasons.map(reason => /not tried again/.test(reason))).toEqual([false, false, false, true])
  const [row] = await world.ctx.sql`select count from template_strikes where project_id = ${project.id}`
  expect(row).toEqual({ count: 3 })
  // Another one of the project is rendered as ever, and this one in another project is tried.
  expect((await preview('{{ name | upcase }}', { name: 'Ada' })).body.html).toContain('ADA')
  world.clock.advance(61 * 60_000)
  expect((await preview(endless)).body.error.errors[0].message).toContain('longer than a second')
})
