// What strangers and other members wrote, in the dashboard: names, custom fields and events are text, and nothing in an email runs.
import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'

const markup = `"><b class=injected>x</b><img src=x onerror="window.ran=1"><script>window.ran=1</script>`
const letter = `<p>Read me</p><p><a href="https://elsewhere.example/">Elsewhere</a></p><script>window.ran=1</script><script src="/app/assets/x.js"></script>
  <img src=x onerror="window.ran=1"><svg onload="window.ran=1"></svg><input autofocus onfocus="window.ran=1">
  <iframe srcdoc="<script>parent.ran=1</script>"></iframe><object data="data:text/html,<script>ran=1</script>"></object>
  <template shadowrootmode="open"><script>window.ran=1</script></template><base href="https://evil.example/">
  <meta http-equiv="refresh" content="0;url=https://evil.example/"><form action="https://evil.example/"><button>Go</button></form>
  <a href="javascript:window.ran=1">Press me</a><math><a href="javascript:window.ran=1">sum</a></math>`

const somebody = newcomer(markup.slice(0, 100))
const pages = [
  ...[
    '',
    'messages',
    'contacts',
    'events',
    'activity',
    'analytics',
    'suppressions',
    'topics',
    'forms',
    'segments',
  ],
  ...['campaigns', 'templates', 'layouts', 'workflows', 'settings/keys'],
  'settings/audit-log',
]

describe.skipIf(!chromiumPath)('in the dashboard', () => {
  const call = async (method: string, path: string, data?: object, key?: string) => {
    const { page, showcase, projectId } = somebody
    const headers: Record<string, string> = key
      ? { authorization: `Bearer ${key}` }
      : { 'x-project-id': projectId }
    const answer = await page.request.fetch(`${showcase.url}${path}`, {
      method,
      data,
      headers,
      maxRetries: 2,
    })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return answer.status() === 204 ? undefined : await answer.json()
  }
  const paths: string[] = []
  beforeAll(async () => {
    const { projectId } = somebody
    const [{ secret }] = await call('GET', '/users/@me/projects')
    const [{ domain }] = await call('GET', `/domains/project/${projectId}`)
    const text = { subject: markup, body: letter, from: `a@${domain}`, fromName: markup }
    const name = markup.slice(0, 100)
    const { id: contact } = await call('POST', '/contacts', {
      email: 'ada@reader.example',
      data: { name: markup, 'a<b>': markup },
    })
    await call('POST', '/events/track', { name, contactId: contact, data: { [markup]: markup } }, secret)
    const { id: template } = await call('POST', '/templates', { name, description: markup, ...text })
    await call('POST', '/layouts', { name, body: `<b>${markup}</b>{{ content }}` })
    await call('POST', '/topics', { name, description: markup })
    const { id: segment } = await call('POST', '/segments', { name, description: markup, type: 'STATIC' })
    const { id: form } = await call('POST', '/signup-forms', {
      name,
      enabled: false,
      look: { heading: name },
    })
    const campaign = await call('POST', '/campaigns', { name, audienceType: 'ALL', ...text })
    // Home shows the last one that was sent.
    const last = await call('POST', '/campaigns', { name, audienceType: 'ALL', ...text })
    await call('POST', `/campaigns/${last.data.id}/send`)
    const workflow = await call('POST', '/workflows', { name, eventName: name, description: markup })
    const step = { type: 'SEND_EMAIL', name, templateId: template }
    await call('POST', `/workflows/${workflow.id}/steps`, step)
    await call('POST', '/suppressions', { emails: ['gone@reader.example'], note: markup })
    await call('POST', `/projects/${projectId}/api-keys`, { name, scopes: ['read'] })
    const sent = await call(
      'POST',
      '/v1/send',
      { to: 'ada@reader.example', ...text, from: { name: markup, email: text.from }, fromName: undefined },
      secret,
    )
    await somebody.showcase.drain()
    paths.push(
      `contacts/${contact}`,
      `templates/${template}`,
      `segments/${segment}`,
      `forms/${form}`,
      `campaigns/${campaign.data.id}`,
      `workflows/${workflow.id}`,
      `messages/${sent.data.emails[0].email}`,
    )
  })

  const found = async () => {
    const frames = await Promise.all(
      somebody.page.frames().map(frame => frame.evaluate(() => 'ran' in window).catch(() => false)),
    )
    const script = 'a[href^="javascript:" i]'
    return {
      ran: frames.includes(true),
      injected: await somebody.page.locator('.injected').count(),
      links: await somebody.page.locator(script).count(),
    }
  }

  test('what people wrote into names and fields is text on every page', async () => {
    const { page, showcase, projectId, settled } = somebody
    const dialogs: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of [...pages, ...paths]) {
      await page.goto(`${showcase.url}/app/${projectId}/${path}`)
      await page.locator('main', { hasText: '<b class=injected>' }).waitFor()
      await settled()
      expect(await page.locator('main').textContent()).toContain('<b class=injected>')
      expect([path, await found()]).toEqual([path, { ran: false, injected: 0, links: 0 }])
    }
    // These have names in fields, or none: nothing of them runs either.
    for (const path of ['settings', 'settings/members', 'settings/webhooks', 'deliveries', 'quickstart']) {
      await page.goto(`${showcase.url}/app/${projectId}/${path}`)
      await page.locator('main h1').waitFor()
      await settled()
      expect([path, await found()]).toEqual([path, { ran: false, injected: 0, links: 0 }])
    }
    expect(dialogs).toEqual([])
  })

  test('nothing in an email runs, leaves its frame, or leads away', async () => {
    const { page, showcase, projectId, settled } = somebody
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.goto(`${showcase.url}/app/${projectId}/${paths.at(-1)}`)
    const frame = page.frameLocator('iframe').first()
    await frame.getByText('Read me').waitFor()
    for (const name of ['Press me', 'sum']) {
      const link = frame.getByText(name)
      if ((await link.count()) > 0)
        await link
          .first()
          .click({ timeout: 1_000 })
          .catch(() => {})
    }
    const button = frame.getByRole('button', { name: 'Go' })
    if ((await button.count()) > 0) await button.click({ timeout: 1_000 }).catch(() => {})
    const opened = page.waitForEvent('popup')
    await frame.getByText('Elsewhere').click()
    const popup = await opened
    expect(await popup.evaluate(() => window.opener === null)).toBe(true)
    await popup.close()
    await settled()
    expect(await found()).toEqual({ ran: false, injected: 0, links: 0 })
    expect(page.url()).toStartWith(showcase.url)
    expect(asked.filter(url => url.includes('evil.example'))).toEqual([])
  })
})
