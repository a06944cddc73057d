// The brand of a project over HTTP: what it holds, what is refused, who may change it, and what the log says.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { listLinks } from '../../src/modules/sending/emails'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { type Answer, request } from '../support/request'

let database: TestDatabase
let world: ReturnType<typeof testContext>
let app: AnyElysia
beforeAll(async () => {
  database = await cloneDatabase()
  world = testContext(database, { rateLimitPerMinute: 0 })
  app = buildApp(world.ctx)
})
afterAll(() => database.drop())

const read = async (project: MadeProject): Promise<Answer> =>
  await request(app, 'GET', `/projects/${project.id}/brand`, { key: project.secretKey })
const change = async (project: MadeProject, body: object): Promise<Answer> =>
  await request(app, 'PATCH', `/projects/${project.id}/brand`, { key: project.secretKey, body })

const kinds = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1],
  webp: [...Buffer.from('RIFF\x10\0\0\0WEBPVP8 ')],
}

async function upload(project: MadeProject, kind: keyof typeof kinds): Promise<string> {
  const body = new FormData()
  body.set('image', new File([new Uint8Array(kinds[kind])], `logo.${kind}`, { type: `image/${kind}` }))
  return (await request(app, 'POST', '/uploads/image', { key: project.secretKey, body })).body.url
}

const plain = {
  logo: null,
  logoWidth: 160,
  textColor: '#24211e',
  backgroundColor: '#f4f3f1',
  paperColor: '#ffffff',
  accentColor: '#2f5d8a',
  font: 'sans',
  headingFont: 'sans',
  postalAddress: null,
  socialLinks: [],
  footerText: null,
  updatedAt: expect.any(String),
}

describe('the brand of a project', () => {
  test('begins with defaults, and keeps what a change leaves out', async () => {
    const project = await makeProject(world)
    expect((await read(project)).body).toEqual(plain)
    const links = [{ name: ' LinkedIn ', url: 'https://www.linkedin.com/company/fernway' }]
    const first = await change(project, { accentColor: '#24543F', socialLinks: links, headingFont: 'serif' })
    expect(first.status).toBe(200)
    await change(project, { postalAddress: 'Fernway GmbH\nLindenstraße 4\r\n10969 Berlin\n' })
    expect((await read(project)).body).toEqual({
      ...plain,
      accentColor: '#24543f',
      headingFont: 'serif',
      socialLinks: [{ ...links[0], name: 'LinkedIn' }],
      postalAddress: 'Fernway GmbH, Lindenstraße 4, 10969 Berlin',
    })
  })

  test('changes to different parts at the same time are all kept', async () => {
    const project = await makeProject(world)
    await Promise.all([
      change(project, { textColor: '#111111' }),
      change(project, { footerText: 'You asked for this email.' }),
      change(project, { logoWidth: 200 }),
    ])
    expect((await read(project)).body).toMatchObject({
      textColor: '#111111',
      footerText: 'You asked for this email.',
      logoWidth: 200,
    })
  })

  test('a change based on what a colleague has changed since is 409', async () => {
    const project = await makeProject(world)
    const { updatedAt } = (await read(project)).body
    await world.clock.advance(1_000)
    expect((await change(project, { logoWidth: 200, expectedUpdatedAt: updatedAt })).status).toBe(200)
    expect((await change(project, { logoWidth: 300, expectedUpdatedAt: updatedAt })).status).toBe(409)
    expect((await read(project)).body.logoWidth).toBe(200)
  })

  test('the logo is an image that this project uploaded, and an email client shows', async () => {
    const project = await makeProject(world)
    const other = await makeProject(world)
    const url = await upload(project, 'png')
    expect((await change(project, { logo: url })).body.logo).toBe(url)
    const foreign = await upload(other, 'png')
    const refused = [foreign, `${url}x`, 'https://example.com/logo.png']
    for (const logo of [...refused, url.replace(/[0-9a-f]{16}\./, '0123456789abcdef.')])
      expect((await change(project, { logo })).body.error.errors[0].field).toBe('logo')
    const webp = await change(project, { logo: await upload(project, 'webp') })
    expect(webp.body.error.errors[0].message).toContain('WebP')
    expect((await read(project)).body.logo).toBe(url)
    expect((await change(project, { logo: null })).body.logo).toBeNull()
  })

  test.each([
    ['a color by name', { textColor: 'red' }],
    ['a short color', { accentColor: '#abc' }],
    ['a style in a color', { paperColor: '#fff;}*' }],
    ['a font that is none of the list', { font: 'Comic Sans' }],
    ['a logo that is wider than a mail', { logoWidth: 601 }],
    ['a link with a script', { socialLinks: [{ name: 'X', url: 'javascript:alert(1)' }] }],
    ['a link without a name', { socialLinks: [{ name: ' ', url: 'https://example.com' }] }],
    ['too many links', { socialLinks: Array(11).fill({ name: 'X', url: 'https://example.com' }) }],
    ['a long address', { postalAddress: 'x'.repeat(301) }],
    ['a long footer', { footerText: 'x'.repeat(501) }],
  ])('%s is refused', async (_, body) => {
    const project = await makeProject(world)
    expect((await change(project, body)).status).toBe(422)
    expect((await read(project)).body).toEqual(plain)
  })

  test('the log names what was changed, and says nothing where nothing was', async () => {
    const project = await makeProject(world)
    await change(project, { accentColor: '#24543f', footerText: 'Hello' })
    await change(project, { accentColor: '#24543F' })
    const log = await request(app, 'GET', `/projects/${project.id}/audit-log?action=project.brandChanged`, {
      key: project.secretKey,
    })
    expect(log.body.data).toEqual([
      expect.objectContaining({ details: { accentColor: '#24543f', footerText: 'Hello' } }),
    ])
  })

  test('is in what is sent from then on, and not in what was rendered before', async () => {
    const project = await makeProject(world)
    const preview = async (): Promise<Answer> =>
      await request(app, 'POST', '/templates/preview', {
        key: project.secretKey,
        body: { subject: 'Hi', body: '<p>{{brand.address}}</p>', type: 'MARKETING' },
      })
    const without = await preview()
    expect(without.body.warnings.map((each: { code: string }) => each.code)).toEqual(['no_postal_address'])
    await change(project, { postalAddress: 'Lindenstraße 4 & 5, Berlin' })
    const shown = await preview()
    expect(shown.body.html).toContain('<p>Lindenstraße 4 &amp; 5, Berlin</p>')
    expect(shown.body.warnings).toEqual([])
  })

  test('a layout keeps what its editor drew it from, until somebody writes other HTML', async () => {
    const { secretKey: key } = await makeProject(world)
    const editor = {
      kind: 'blocks',
      document: { version: 2, doc: { type: 'doc', content: [{ type: 'slot' }] } },
    }
    const made = await request(app, 'POST', '/layouts', {
      key,
      body: { name: 'L', body: '<table><tr><td>{{ content }}</td></tr></table>', editor },
    })
    expect(made.body.editor).toEqual(editor)
    const path = `/layouts/${made.body.id}`
    expect((await request(app, 'GET', path, { key })).body.editor).toEqual(editor)
    expect((await request(app, 'GET', '/layouts', { key })).body.data[0].editor).toBeUndefined()
    const renamed = await request(app, 'PATCH', path, { key, body: { name: 'M' } })
    expect(renamed.body.editor).toEqual(editor)
    const written = await request(app, 'PATCH', path, { key, body: { body: '<p>{{ content }}</p>' } })
    expect(written.body.editor).toBeNull()
  })

  test('pages for readers show the logo and the color, with words that can be read on it', async () => {
    const project = await makeProject(world)
    const logo = await upload(project, 'png')
    await change(project, { logo, accentColor: '#ffd43b' })
    const contact = await request(app, 'POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'ada@fernway.example' },
    })
    const { manageUrl } = listLinks(
      world.ctx.vault,
      '',
      { projectId: project.id, contactId: contact.body.data?.id ?? contact.body.id },
      crypto.randomUUID(),
    )
    const page = await app.handle(new Request(`http://localhost${manageUrl}`))
    const html = await page.text()
    expect(html).toContain(`<img src="${logo}" alt="Test project" width="160">`)
    expect(html).toContain('background: #ffd43b; border-color: #ffd43b; color: #000000;')
    expect(page.headers.get('content-security-policy')).toContain(`img-src ${new URL(logo).origin};`)
  })
})
