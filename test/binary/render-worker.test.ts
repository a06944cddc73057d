// The thread that renders what is costly, inside the executable: it is a program of its own there.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  builtProgram,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  startProgram,
} from '../support/program'

let folder = ''
let instance: Program
let keys: Keys

beforeAll(async () => {
  folder = makeFolder()
  await builtProgram()
  instance = await startProgram({ environment: { DATA_DIR: join(folder, 'own'), PORT: '0' } })
  keys = await makeProject(instance.url)
})
afterAll(async () => {
  await instance?.stop()
  removeFolder(folder)
})

const preview = (body: string) =>
  fetch(`${instance.url}/templates/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.secretKey}` },
    body: JSON.stringify({ subject: 'Hello', body, type: 'TRANSACTIONAL', data: { name: 'Ada' } }),
  })

test('renders what takes longer than requests may', async () => {
  const answer = await preview(
    '{% for i in (1..10000) %}{% assign x = i | plus: 1 | times: 2 %}{% endfor %}{{ name }} {{ x }}',
  )
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ html: expect.stringContaining('Ada 20002') })
})

test('is ended with what never ends, and another one takes its place', async () => {
  const answer = await preview(`{{ name }}${'{% for i in (1..9999) %}'.repeat(3)}${'{% endfor %}'.repeat(3)}`)
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('longer than a second')
  expect(
    (await preview('{% for i in (1..9000) %}{% assign x = i | plus: 1 %}{% endfor %}{{ x }}')).status,
  ).toBe(200)
})
