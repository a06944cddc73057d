// `waxwing user` as real processes: accounts made and passwords reset while the instance runs on its built-in database.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import {
  builtProgram,
  freePort,
  makeFolder,
  type Program,
  removeFolder,
  runProgram,
  startProgram,
} from '../support/program'

let folder = ''
let instance: Program
let environment: Record<string, string>

beforeAll(async () => {
  folder = makeFolder()
  await builtProgram()
  const port = String(await freePort())
  environment = { DATA_DIR: join(folder, 'own'), PORT: port, DISABLE_SIGNUPS: 'true' }
  instance = await startProgram({ environment })
})
afterAll(async () => {
  await instance?.stop()
  removeFolder(folder)
})

const waxwing = (...args: string[]) => runProgram(args, { environment })
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${instance.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const tokenOf = (out: string): string =>
  /\/auth\/reset-password\?token=([0-9a-f]{64})\n$/.exec(out)?.[1] ?? ''

test('an account is made beside the running instance, and the printed link sets its password', async () => {
  const made = await waxwing('user', 'create', ' Ada@Example.com ')
  expect(made).toMatchObject({ code: 0, err: '' })
  const token = tokenOf(made.out)
  expect(made.out).toContain('created the account of ada@example.com')
  const newPassword = 'chosen by Ada herself'
  expect((await post('/auth/reset-password', { token, newPassword })).status).toBe(200)
  expect((await post('/auth/login', { email: 'ada@example.com', password: newPassword })).status).toBe(200)
  const again = await waxwing('user', 'create', 'ada@example.com')
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.err).toContain('An account with this address exists already')
})

test('a password is reset by a link that is printed, and accounts are listed', async () => {
  const { code, out } = await waxwing('user', 'reset-password', 'ada@example.com')
  expect(code).toBe(0)
  const body = { token: tokenOf(out), newPassword: 'another of her choice' }
  expect((await post('/auth/reset-password', body)).status).toBe(200)
  expect((await post('/auth/reset-password', body)).status).toBe(400)
  const listed = await waxwing('user', 'list')
  expect(listed.out).toMatch(/^ada@example\.com\tPASSWORD\tverified\t\d{4}-\S+Z\n$/)
  const nobody = await waxwing('user', 'reset-password', 'nobody@example.com')
  expect([nobody.code, nobody.err]).toEqual([
    1,
    'waxwing: no account with a password has the address nobody@example.com\n',
  ])
})

test('a second factor is taken off an account that lost it, and nothing is where there is none', async () => {
  const password = 'another of her choice'
  const email = 'ada@example.com'
  const signedIn = await post('/auth/login', { email, password })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';', 1)[0]!
  const ask = async (path: string, body: object) =>
    (await (await post(`/users/@me/second-factor${path}`, body, { cookie })).json()) as { secret: string }
  const { secret } = await ask('', { password })
  await ask('/confirm', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
  expect((await post('/auth/login', { email, password })).status).toBe(401)
  expect(await waxwing('user', 'remove-second-factor', email)).toMatchObject({ code: 0, err: '' })
  expect((await post('/auth/login', { email, password })).status).toBe(200)
  for (const none of [email, 'nobody@example.com'])
    expect(await waxwing('user', 'remove-second-factor', none)).toMatchObject({ code: 1, out: '' })
})

test('a project is suspended and resumed beside the running instance', async () => {
  await waxwing('user', 'create', 'owner@example.com')
  const { out } = await waxwing('user', 'reset-password', 'owner@example.com')
  const password = 'a password of the owner'
  await post('/auth/reset-password', { token: tokenOf(out), newPassword: password })
  const signedIn = await post('/auth/login', { email: 'owner@example.com', password })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';', 1)[0]!
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const answer = await fetch(`${instance.url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as { id: string; isDisabled: boolean; suspensions: { findings: string[] }[] }
  }
  const { id } = await ask('POST', '/users/@me/projects', { name: 'Acme' })
  expect(await waxwing('project', 'suspend', id, '--because', 'a complaint by phone')).toMatchObject({
    code: 0,
    out: 'suspended; its members get a mail\n',
  })
  expect((await waxwing('project', 'suspend', id)).out).toBe('it is suspended already\n')
  expect((await waxwing('project', 'list')).out).toMatch(
    new RegExp(`^${id}\\tAcme\\tsuspended \\(MANUAL\\)\\t`),
  )
  const state = await ask('GET', `/users/@me/projects/${id}/security`)
  expect([state.isDisabled, state.suspensions[0]!.findings]).toEqual([true, ['a complaint by phone']])
  expect(await waxwing('project', 'resume', id)).toMatchObject({ code: 0, out: 'it may send again\n' })
  expect((await ask('GET', `/users/@me/projects/${id}/security`)).isDisabled).toBe(false)
  expect(await waxwing('project', 'limits', id, '--transactional', '5000')).toMatchObject({
    code: 0,
    out: [
      'workflows\tno limit\t0 used this month',
      'campaigns\tno limit\t0 used this month',
      'transactional\t5000\t0 used this month',
      'inbound\tno limit\t0 used this month',
      'billing is off, so nothing is limited until it is on\n',
    ].join('\n'),
  })
  expect(await waxwing('project', 'limits', id, '--transactional', '0')).toMatchObject({ code: 2 })
  const unknown = '019a0000-0000-7000-8000-000000000000'
  expect(await waxwing('project', 'resume', unknown)).toMatchObject({
    code: 1,
    err: `waxwing: there is no project ${unknown}\n`,
  })
  expect((await waxwing('project', 'resume', 'Acme')).code).toBe(2)
})

test('a forgotten password comes back by the mail in the outbox and the page that it leads to', async () => {
  expect((await post('/auth/request-password-reset', { email: 'ada@example.com' })).status).toBe(200)
  const mail = await mailTo('ada@example.com')
  expect(mail).toContain('Subject: Set a new password')
  expect(mail).toContain('From: Waxwing <no-reply@localhost>')
  const text = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const [, token] = /reset-password\?token=([0-9a-f]{64})/.exec(text)!
  const page = await fetch(`${instance.url}/auth/reset-password?token=${token}`)
  expect(await page.text()).toContain('action="reset-password/form"')
  const done = await fetch(`${instance.url}/auth/reset-password/form`, {
    method: 'POST',
    body: new URLSearchParams({ token: token!, password: 'typed into the page' }),
  })
  expect(await done.text()).toContain('Your password is set')
  const body = { email: 'ada@example.com', password: 'typed into the page' }
  expect((await post('/auth/login', body)).status).toBe(200)
})

/** The text of the message to an address, once it is written. */
async function mailTo(address: string): Promise<string> {
  const outbox = join(folder, 'own', 'outbox')
  for (;;) {
    const names = existsSync(outbox) ? readdirSync(outbox).filter(name => name.endsWith('.eml')) : []
    const found = names
      .map(name => readFileSync(join(outbox, name), 'utf8'))
      .find(text => text.includes(`To: ${address}`))
    if (found) return found
    await Bun.sleep(20)
  }
}

test.each([
  [['user'], 'create, reset-password, remove-second-factor or list is missing'],
  [['user', 'create'], 'EMAIL is missing'],
  [['user', 'delete', 'ada@example.com'], 'unknown action: delete'],
  [['user', 'list', 'all'], 'unexpected argument: all'],
])('%j is refused with the usage', async (args, problem) => {
  const { code, err } = await waxwing(...args)
  expect(code).toBe(2)
  expect(err).toStartWith(problem)
})

test('where there is no database, nothing is made to find nobody in it', async () => {
  const dataDir = join(folder, 'nowhere')
  const { code, err } = await runProgram(['user', 'list'], { environment: { DATA_DIR: dataDir } })
  expect(code).toBe(1)
  expect(err).toContain('there is no database')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})
