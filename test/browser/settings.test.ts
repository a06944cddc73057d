// The settings of a project and the own account in the dashboard: what is changed there is changed.
import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'
import { findings } from './open'

const somebody = newcomer('Hopper')

const tab = async (name: string): Promise<void> => {
  await somebody.page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
}

async function ownProject(): Promise<Record<string, unknown>> {
  const { page, showcase } = somebody
  const [project] = await (await page.request.get(`${showcase.url}/users/@me/projects`)).json()
  return project
}

describe.skipIf(!chromiumPath)('settings', () => {
  test('name, language and sender are kept', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name', { exact: true }).first().fill('Hopper Letters')
    await page.getByLabel('Recipient language').selectOption('de')
    await page.getByLabel('Open and click tracking').selectOption('MARKETING_ONLY')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByRole('button', { name: 'Switch project: Hopper Letters' }).waitFor()
    await page.getByLabel('From email').fill('no address')
    await page.getByLabel('From email').fill('hello@hopper.example')
    const sender = page.locator('form').filter({ has: page.getByLabel('From email') })
    await sender.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').nth(1).waitFor()
    expect(await ownProject()).toMatchObject({
      name: 'Hopper Letters',
      language: 'de',
      tracking: 'MARKETING_ONLY',
      defaultSender: { email: 'hello@hopper.example', name: null, replyTo: null },
    })
  })

  test('saved twice, in two cards, with a colleague who saves between: nothing is lost', async () => {
    const { page, showcase, projectId } = somebody
    const colleague = async (data: object): Promise<void> => {
      await page.request.patch(`${showcase.url}/users/@me/projects/${projectId}`, { data })
    }
    await page.goto(`${showcase.url}/app/${projectId}/settings`)
    const card = (label: string) => page.locator('form').filter({ has: page.getByLabel(label) })
    const basics = card('Open and click tracking')
    const rules = card('Time zone')
    const save = async (form: typeof basics): Promise<void> => {
      await form.getByRole('button', { name: 'Save' }).click()
    }
    const saved = async (times: number): Promise<void> =>
      await page
        .getByRole('status')
        .getByText('Saved')
        .nth(times - 1)
        .waitFor()
    // Both cards are filled in, and a colleague changes other members of both.
    await basics.getByLabel('Name', { exact: true }).fill('Letters')
    await rules.getByLabel('Time zone', { exact: true }).selectOption('Europe/Paris')
    await colleague({ language: 'fr', timeZoneField: 'zone' })
    await save(basics)
    await saved(1)
    expect(await basics.getByLabel('Recipient language').inputValue()).toBe('fr')
    expect(await rules.getByLabel('Time zone', { exact: true }).inputValue()).toBe('Europe/Paris')
    await save(rules)
    await saved(2)
    const stored = {
      ...{ name: 'Letters', language: 'fr', timeZone: 'Europe/Paris', timeZoneField: 'zone' },
      ...{ quietHours: null, mailCap: null },
    }
    expect(await ownProject()).toMatchObject(stored)
    // The same member: said, and saved only when one says so again.
    await basics.getByLabel('Name', { exact: true }).fill('Mine')
    await colleague({ name: 'Theirs' })
    await save(basics)
    await basics
      .getByText('Someone else changed this since you loaded it: Name “Theirs”. Nothing was saved.')
      .waitFor()
    expect(await ownProject()).toMatchObject({ ...stored, name: 'Theirs' })
    expect(await basics.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine')
    await save(basics)
    await saved(3)
    expect(await ownProject()).toMatchObject({ ...stored, name: 'Mine' })
    await colleague({ name: 'Hopper Letters', language: 'de' })
    await page.reload()
  })

  test('the retention card keeps what a colleague saved between', async () => {
    const { page, showcase, projectId } = somebody
    const url = `${showcase.url}/projects/${projectId}/retention`
    const colleague = async (data: object): Promise<void> => {
      await page.request.put(url, { data })
    }
    const stored = async () => (await page.request.get(url)).json()
    await page.goto(`${showcase.url}/app/${projectId}/settings`)
    const card = page.locator('form').filter({ has: page.getByLabel('Delete events after (days)') })
    const saved = (times: number) =>
      page
        .getByRole('status')
        .getByText('Saved')
        .nth(times - 1)
        .waitFor()
    await card.getByLabel('Delete events after (days)').fill('400')
    await colleague({ messagesDays: 90 })
    await card.getByRole('button', { name: 'Save' }).click()
    await saved(1)
    expect(await stored()).toMatchObject({ eventsDays: 400, messagesDays: 90, inactiveDays: null })
    expect(await card.getByLabel('Anonymize emails after (days)').inputValue()).toBe('90')
    await card.getByLabel('Delete events after (days)').fill('300')
    await colleague({ eventsDays: 200, messagesDays: 90 })
    await card.getByRole('button', { name: 'Save' }).click()
    await card
      .getByText('Someone else changed this since you loaded it: Delete events after (days) “200”.')
      .waitFor()
    expect(await stored()).toMatchObject({ eventsDays: 200 })
    expect(await card.getByLabel('Delete events after (days)').inputValue()).toBe('300')
    await card.getByRole('button', { name: 'Save' }).click()
    await saved(2)
    expect(await stored()).toMatchObject({ eventsDays: 300, messagesDays: 90 })
    await colleague({})
  })

  test('an invitation is mailed, listed, and taken back', async () => {
    const { page } = somebody
    await tab('Members')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email', { exact: true }).fill('grace@hopper.example')
    await page.getByLabel('Role').selectOption('ADMIN')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Invitation sent to grace@hopper.example').waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'detached' })
  })

  test('a key is shown when asked for, and replaced after saying what stops', async () => {
    const { page } = somebody
    const before = await ownProject()
    await tab('API keys')
    expect(await page.getByText(String(before['secret'])).count()).toBe(0)
    await page.getByRole('button', { name: 'Show' }).first().click()
    await page.getByText(String(before['secret'])).waitFor()
    await page.getByRole('button', { name: 'Rotate keys' }).click()
    await page.getByRole('dialog').getByText('get error 401').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }).click()
    await page.getByText('Keys rotated.').waitFor()
    const after = await ownProject()
    await page.getByText(String(after['secret'])).waitFor()
    expect(after['secret']).not.toBe(before['secret'])
    expect(after['public']).not.toBe(before['public'])
  })

  test('the audit log tells of it, and can be narrowed', async () => {
    const { page } = somebody
    await tab('Audit log')
    const table = page.getByRole('table')
    await table.getByText('API keys rotated').waitFor()
    await table.getByText('Invitation revoked · grace@hopper.example').waitFor()
    await page.getByLabel('All changes').selectOption('member.invited')
    await table.getByText('API keys rotated').waitFor({ state: 'detached' })
    await table.getByText('Member invited').waitFor()
  })

  test('a key with scopes is shown once, and revoked after asking', async () => {
    const { page, showcase } = somebody
    await tab('API keys')
    const dialog = page.getByRole('dialog')
    const make = page.getByRole('button', { name: 'Create key' })
    await make.click()
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByLabel('hopper.example').check()
    await dialog.getByLabel('Write').check()
    expect(await dialog.getByLabel('hopper.example').count()).toBe(0)
    await dialog.getByLabel('Write').uncheck()
    await dialog.getByLabel('Valid').selectOption('30')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Your new key' }).waitFor()
    const key = (await dialog.locator('pre').textContent())!
    expect(key).toMatch(/^wk_[0-9a-f]{64}$/)
    // Whoever keeps it in another window comes back: the list is read anew, and has its first row.
    const read = page.waitForResponse(answer => answer.url().endsWith('/api-keys'))
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await read
    await page.getByText('never used').waitFor()
    expect(await dialog.locator('pre').textContent()).toBe(key)
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    const row = page.getByRole('listitem').filter({ hasText: key.slice(0, 11) })
    await row.getByText('Sends from hopper.example').waitFor()
    await row.getByText('never used').waitFor()
    expect(await page.content()).not.toContain(key)
    const asked = { headers: { authorization: `Bearer ${key}` } }
    expect((await page.request.get(`${showcase.url}/contacts`, asked)).status()).toBe(403)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Shop revoked').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await page.request.get(`${showcase.url}/contacts`, asked)).status()).toBe(401)
  })

  test('the pair is replaced with an overlap, and the old one ended before its time', async () => {
    const { page, showcase } = somebody
    const before = await ownProject()
    const asked = { headers: { authorization: `Bearer ${before['secret']}` } }
    await page.getByRole('button', { name: 'Rotate keys' }).click()
    await page.getByRole('dialog').getByLabel('Old keys').selectOption('24')
    await page.getByRole('dialog').getByText('give your apps and web pages the new keys').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Former secret key' })
    await row.waitFor()
    expect((await page.request.get(`${showcase.url}/contacts`, asked)).status()).toBe(200)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Former secret key revoked').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await page.request.get(`${showcase.url}/contacts`, asked)).status()).toBe(401)
  })

  test('the password is changed when the old one is right', async () => {
    const { page, showcase } = somebody
    await page.getByRole('button', { name: 'ada@fernway.example' }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('another long password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Current password').fill(showcase.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    expect(await page.getByLabel('Current password').inputValue()).toBe('')
    const data = { email: showcase.email, password: 'another long password' }
    expect((await page.request.post(`${showcase.url}/auth/login`, { data })).status()).toBe(200)
  })

  test('a session elsewhere is listed, and ended after asking', async () => {
    const { page, showcase } = somebody
    const data = { email: showcase.email, password: 'another long password' }
    const headers = { 'user-agent': 'Tablet/1.0' }
    const elsewhere = await page.context().browser()!.newContext()
    await elsewhere.request.post(`${showcase.url}/auth/login`, { data, headers })
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Tablet/1.0' })
    await row.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await page.getByText('Session ended').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await elsewhere.request.get(`${showcase.url}/users/@me`)).status()).toBe(401)
    await elsewhere.request.post(`${showcase.url}/auth/login`, { data, headers })
    await page.reload()
    await page.getByRole('button', { name: 'End other sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End other sessions' }).click()
    await page.getByText('Other sessions ended').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await elsewhere.request.get(`${showcase.url}/users/@me`)).status()).toBe(401)
    await elsewhere.close()
  })

  test('a second factor is set up, asked for at sign-in, and turned off', async () => {
    const { page, showcase } = somebody
    const dialog = page.getByRole('dialog')
    const given = 'another long password'
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    await dialog.getByLabel('Current password').fill(given)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    expect(await findings(somebody)).toEqual([])
    const secret = Secret.fromBase32((await dialog.locator('code').textContent())!)
    const code = (): string => new TOTP({ secret }).generate()
    await dialog.getByLabel('Code from the app').fill(code())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = (await dialog.locator('pre').textContent())!.split('\n')
    expect(codes).toHaveLength(10)
    await dialog.getByRole('button', { name: 'I’ve saved them' }).click()
    await page.getByText('10 recovery codes left').waitFor()

    // As a person does: a page whose session ends behind its back goes to the sign-in by itself, while one is going there.
    await page.getByRole('button', { name: showcase.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Email', { exact: true }).fill(showcase.email)
    await page.getByLabel('Password', { exact: true }).fill(given)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await findings(somebody)).toEqual([])
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code').fill(codes[0]!)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await page.goto(`${showcase.url}/app/${somebody.projectId}/account`)
    await page.getByText('9 recovery codes left').waitFor()

    await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
    await dialog.getByLabel('Current password').fill(given)
    await dialog.getByLabel('Code').fill(codes[1]!)
    await dialog.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
    await page.getByText('Two-factor authentication turned off').waitFor()
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).waitFor()
    expect(somebody.complaints.filter(text => !text.includes('401'))).toEqual([])
  })

  test('the owner requires a second factor of all, and whoever has none is led to where it is set up', async () => {
    const { page, showcase, projectId } = somebody
    const members = `${showcase.url}/app/${projectId}/settings/members`
    const password = 'another long password'
    const own = `${showcase.url}/users/@me/second-factor`
    await page.goto(members)
    await page.getByText('Set it up for your own account first').waitFor()
    expect(await findings(somebody)).toEqual([])

    const { secret } = await (await page.request.post(own, { data: { password } })).json()
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { recoveryCodes } = await (await page.request.post(`${own}/confirm`, { data: { code } })).json()
    await page.reload()
    await page.getByRole('button', { name: 'Require' }).click()
    await page.getByRole('dialog').getByText('No one loses access now.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Require' }).click()
    await page.getByRole('button', { name: 'Make optional' }).waitFor()
    expect(await ownProject()).toMatchObject({ secondFactorRequired: true })

    const list = '**/users/@me/projects'
    await page.route(list, async route => {
      const response = await route.fetch()
      const [project] = await response.json()
      await route.fulfill({ response, json: [{ ...project, secondFactorMissing: true }] })
    })
    await page.goto(members)
    await page.getByRole('heading', { name: 'Two-factor authentication required' }).waitFor()
    expect(await findings(somebody)).toEqual([])
    await page.getByRole('link', { name: 'Set up two-factor authentication' }).click()
    await page.getByText('10 recovery codes left').waitFor()
    await page.unroute(list)

    await page.goto(members)
    await page.getByRole('button', { name: 'Make optional' }).click()
    await page.getByRole('button', { name: 'Require', exact: true }).waitFor()
    await page.request.post(`${own}/remove`, { data: { password, code: recoveryCodes[0] } })
    await page.goto(`${showcase.url}/app/${projectId}/`)
  })

  test('a project is deleted once its name was typed', async () => {
    const { page, showcase } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete project' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Type Hopper Letters to confirm').fill('Hopper Letters')
    await button.click()
    await page.getByRole('heading', { name: 'Name your project' }).waitFor()
    expect(await (await page.request.get(`${showcase.url}/users/@me/projects`)).json()).toEqual([])
  })
})
