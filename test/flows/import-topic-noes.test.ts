// A no for a topic in a row that can't be taken otherwise: it is kept, by the command and by HTTP alike, and nobody is subscribed by it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { csvSource } from '../../src/cli/import/sources/csv'
import { type ImportWorld, importWorld } from '../support/import'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let imports: ImportWorld
let project: MadeProject
let folder = ''
beforeAll(async () => {
  world = await makeWorld()
  imports = importWorld(world, () => project)
  folder = mkdtempSync(join(tmpdir(), 'waxwing-import-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const file = [
  'email,subscribed,topic:News,topic:Offers,tags:json',
  'there@x.test,perhaps,no,yes,',
  'new@x.test,perhaps,no,,',
  'broken@x.test,,no,yes,[1',
  'half@x.test,,no,perhaps,',
  'yes@x.test,perhaps,yes,,',
].join('\n')

const byCommand = async () => {
  const path = join(folder, 'people.csv')
  writeFileSync(path, file)
  const source = () => csvSource(path, { map: new Map() })
  const dry = await imports.run(source(), { isDryRun: true, missingTopics: 'refuse' })
  const report = await imports.run(source(), { missingTopics: 'refuse' })
  expect(report).toEqual(dry)
  return report.examples.map(({ email }) => email)
}

const byHttp = async () => {
  const body = new FormData()
  body.set('file', new File([file], 'people.csv', { type: 'text/csv' }))
  const { jobId } = (await imports.call('POST', '/contacts/import', body)).body
  await world.drain()
  const { result } = (await imports.call('GET', `/contacts/import/${jobId}`)).body
  return result.errors.flatMap(({ email, error }: Record<string, string>) =>
    error!.endsWith('only its unsubscribes were imported') ? [] : [email],
  )
}

test.each([
  ['by the command', byCommand],
  ['by HTTP', byHttp],
])('%s', async (_, run) => {
  project = await world.newProject()
  const call = imports.call
  for (const name of ['News', 'Offers']) await call('POST', '/topics', { name, subscribedByDefault: true })
  await call('POST', '/contacts', { email: 'there@x.test', subscribed: true })
  expect(await run()).toEqual(['yes@x.test'])
  const { body } = await request(imports.app, 'GET', '/contacts?sort=email&dir=asc', {
    key: project.secretKey,
  })
  const said: Record<string, unknown> = {}
  for (const { id, email, subscribed } of body.data) {
    const topics = (await call('GET', `/contacts/${id}/topics`)).body.data
    const decided = topics.filter((topic: { decidedAt: string | null }) => topic.decidedAt !== null)
    said[email] = [
      subscribed,
      decided.map((topic: { name: string; subscribed: boolean }) => [topic.name, topic.subscribed]),
    ]
  }
  const no = [['News', false]]
  expect(said).toMatchObject({ 'there@x.test': [true, no], 'new@x.test': [false, no] })
  expect(said['yes@x.test']).toBeUndefined()
  for (const email of ['broken@x.test', 'half@x.test'])
    expect((said[email] as unknown[][])[1]).toEqual(expect.arrayContaining(no))
})
