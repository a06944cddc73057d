// Editors that hold a copy of what is stored: saved twice by somebody who is alone, each shows what was saved, and nobody else is blamed.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { caller, newcomer } from './newcomer'

const somebody = newcomer('Hopper')

const call = caller(() => somebody)

const letter = { subject: 'Hello', body: '<p>Hi</p>', from: 'hello@hopper.example' }

interface Edited {
  make: () => Promise<{ id: string }>
  path: (id: string) => string
  field: string
  stored: (id: string) => string
  member: string
}

const sender = { email: 'hello@hopper.example', name: null, replyTo: null }

const editors: Record<string, Edited> = {
  'a template': {
    make: () => call('POST', '/templates', { ...letter, name: 'T', type: 'TRANSACTIONAL' }),
    path: id => `/templates/${id}`,
    field: 'Subject',
    stored: id => `/templates/${id}`,
    member: 'subject',
  },
  'a layout': {
    make: () => call('POST', '/layouts', { name: 'L', body: '<p>{{ content }}</p>' }),
    path: id => `/layouts/${id}`,
    field: 'Name',
    stored: id => `/layouts/${id}`,
    member: 'name',
  },
  'a form': {
    async make() {
      await call('PATCH', `/users/@me/projects/${somebody.projectId}`, { defaultSender: sender })
      return await call('POST', '/signup-forms', { name: 'F', enabled: false })
    },
    path: id => `/forms/${id}`,
    field: 'Name',
    stored: id => `/signup-forms/${id}`,
    member: 'name',
  },
}

describe.skipIf(!chromiumPath)('saved twice', () => {
  test.each(Object.entries(editors))('%s shows what was saved', async (_, edited) => {
    const { page, showcase, projectId, complaints } = somebody
    const { id } = await edited.make()
    const home = `${showcase.url}/app/${projectId}`
    await page.goto(home + edited.path(id))
    const field = page.getByLabel(edited.field, { exact: true }).first()
    for (const [round, text] of ['First words', 'Second words'].entries()) {
      const saved = page.waitForResponse(answer => answer.request().method() === 'PATCH')
      await field.fill(text)
      expect([round, (await saved).status()]).toEqual([round, 200])
      expect(await field.inputValue()).toBe(text)
    }
    expect((await call('GET', edited.stored(id)))[edited.member]).toBe('Second words')
    // Left, and come back to without a reload.
    await page.getByRole('link', { name: 'Home' }).click()
    await page.goBack()
    expect(await field.inputValue()).toBe('Second words')
    expect([await page.getByText('Someone else').count(), complaints]).toEqual([0, []])
  })

  test('a segment is opened again as it was saved', async () => {
    const { page, showcase, projectId, complaints } = somebody
    const { id } = await call('POST', '/segments', { name: 'S', type: 'STATIC' })
    await page.goto(`${showcase.url}/app/${projectId}/segments/${id}`)
    for (const text of ['First words', 'Second words']) {
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByLabel('Name', { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('heading', { name: text }).waitFor()
    }
    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Second words')
    expect(complaints).toEqual([])
  })
})
