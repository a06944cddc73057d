// A relay that is away is told where an operator looks: in the log, /health and /metrics; and so are emails that wait, the disk and backups.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteBackup } from '../../src/platform/backup/last'
import { buildApp } from '../../src/server/app'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

const down = { outcome: 'deferred', response: 'connect ECONNREFUSED 10.0.0.9:25', stage: 'connect' } as const
const full = {
  outcome: 'deferred',
  response: '452 4.2.2 mailbox full',
  code: 452,
  enhanced: '4.2.2',
  stage: 'rcpt',
} as const

let world: World
let folder: string
const lines: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-health-'))
  world = await makeWorld({ dataDir: folder })
  const warn = (fields: object, message: string): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`)
  Object.assign(world.ctx, { log: { ...world.ctx.log, warn } })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

async function figures(): Promise<Record<string, number>> {
  const { body } = await request(buildApp(world.ctx), 'GET', '/metrics')
  return Object.fromEntries(
    [...String(body).matchAll(/^(waxwing_\w+)(?:\{transport="\w+"\})? ([\d.e+]+)$/gm)].map(
      ([, name, value]) => [name!, Number(value)],
    ),
  )
}

const warnings = async (): Promise<string[]> =>
  (await request(buildApp(world.ctx), 'GET', '/health')).body.warnings

test('a relay that can not be reached is told once, and again when it works', async () => {
  world.mail.always(down)
  await world.sendOne()
  await world.sendOne()
  await world.drain()
  expect(lines.filter(line => line.startsWith('transport'))).toEqual([
    expect.stringContaining('transport is failing'),
  ])
  expect(lines.join()).toContain('ECONNREFUSED')
  const said = await warnings()
  expect(said.join()).toContain('The transport "memory" has been failing since')
  expect(said.join()).not.toContain('10.0.0.9')
  world.clock.advance(1_000)
  expect(await figures()).toMatchObject({
    waxwing_transport_working: 0,
    waxwing_emails_retrying: 2,
    waxwing_emails_retrying_age_seconds: expect.any(Number),
  })
  world.mail.clear()
  world.clock.advance(60_000)
  await world.drain()
  expect(lines.filter(line => line.startsWith('transport works again'))).toHaveLength(1)
  expect((await warnings()).join()).not.toContain('transport')
  expect(await figures()).toMatchObject({
    waxwing_transport_working: 1,
    waxwing_emails_retrying: 0,
    waxwing_emails_retrying_age_seconds: 0,
  })
})

test('a mailbox that is full says nothing about the relay, and its email is counted as waiting', async () => {
  lines.length = 0
  world.mail.script(full)
  await world.sendOne()
  await world.drain()
  expect(lines).toEqual([])
  expect(await figures()).toMatchObject({ waxwing_transport_working: 1, waxwing_emails_retrying: 1 })
})

test('the room on the disk and the last backup are figures', async () => {
  const before = await figures()
  expect(before['waxwing_disk_free_bytes']).toBeGreaterThan(0)
  expect(before['waxwing_last_backup_timestamp_seconds']).toBe(0)
  noteBackup(folder, new Date())
  const after = await figures()
  expect(Math.abs(after['waxwing_last_backup_timestamp_seconds']! - Date.now() / 1_000)).toBeLessThan(600)
})
