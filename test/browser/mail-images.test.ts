// Images of emails that were sent: their server hears nothing before the reader asks for them. Those of an author's own draft are shown.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { caller, newcomer } from './newcomer'
import { signIn, visitor } from './open'

const somebody = newcomer('Hopper')
const call = caller(() => somebody)
const pixel = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64')
/** The paths that Chromium asks the sender's server for. */
const asked: string[] = []
let sender: ReturnType<typeof Bun.serve>
beforeAll(() => {
  sender = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      asked.push(new URL(url).pathname)
      return new Response(pixel, { headers: { 'content-type': 'image/gif' } })
    },
  })
})
afterAll(() => sender.stop(true))

const bodyOf = (at: string): string => `<html><head><link rel="prefetch" href="${at}/prefetch">
<link rel="stylesheet" href="${at}/sheet.css"><link rel="preload" as="image" href="${at}/preload">
<meta http-equiv="refresh" content="0;url=${at}/refresh">
<style>@import url("${at}/import.css"); @font-face { font-family: f; src: url("${at}/font") } h1 { font-family: f }</style></head>
<body background="${at}/background"><h1>Spring news</h1><img src="${at}/image" alt="A">
<img srcset="${at}/srcset 1x" alt="B"><div style="background: url('${at}/style')">x</div>
<video poster="${at}/poster" src="${at}/video"></video><audio src="${at}/audio" preload="auto"></audio>
<iframe src="${at}/frame"></iframe><object data="${at}/object"></object><input type="image" src="${at}/input">
<svg><image href="${at}/svg"></image></svg><img src="${at}/error" onerror="fetch('${at}/script')" alt="C"></body></html>`

describe.skipIf(!chromiumPath)('images from elsewhere', () => {
  test('are loaded in a draft of one’s own, and in an email that was sent when the reader asks for them', async () => {
    const { page, showcase, projectId } = somebody
    const heading = () => page.frameLocator('iframe').getByRole('heading', { name: 'Spring news' }).waitFor()
    const notice = page.getByText('Remote images are blocked')
    await call('POST', '/contacts', { email: 'ada@hopper.dev', subscribed: true })
    const body = bodyOf(`http://127.0.0.1:${sender.port}`)
    const { data } = await call('POST', '/campaigns', {
      ...{ name: 'Spring', audienceType: 'ALL', subject: 'Spring news', from: 'hello@hopper.example', body },
    })

    await page.goto(`${showcase.url}/app/${projectId}/campaigns/${data.id}?part=send`)
    await heading()
    await until('the author sees the images', () => asked.includes('/image'))
    expect(await notice.count()).toBe(0)
    await page.goto('about:blank')

    await call('POST', `/campaigns/${data.id}/send`, {})
    await showcase.drain()
    const list = await call('GET', `/emails?campaignId=${data.id}`)
    for (const [place, load] of [
      [`messages/${list.data[0].id}`, 'Load images'],
      ['outbox', 'Load images'],
    ] as const) {
      // What the page before has asked for comes first.
      await page.goto('about:blank')
      await somebody.settled()
      asked.length = 0
      await page.goto(`${showcase.url}/app/${projectId}/${place}`)
      if (place === 'outbox') await page.getByRole('main').getByRole('link', { name: /ada@/ }).click()
      await heading()
      await notice.waitFor()
      expect(asked).toEqual([])
      await page.getByRole('button', { name: load }).click()
      await until('the reader sees the images', () =>
        ['/image', '/srcset', '/style', '/background'].every(path => asked.includes(path)),
      )
      expect(await notice.count()).toBe(0)
      const never = [
        '/prefetch',
        '/preload',
        '/sheet.css',
        '/import.css',
        '/refresh',
        '/frame',
        '/script',
        '/object',
      ]
      expect(asked.filter(path => never.includes(path))).toEqual([])
    }

    // The choice holds in both widths of the same email, and is not kept.
    await page.goto(`${showcase.url}/app/${projectId}/messages/${list.data[0].id}`)
    await notice.waitFor()
    if (process.env.PICTURES) await page.screenshot({ path: `/tmp/lq/en.png`, fullPage: true })
    await page.getByRole('button', { name: 'Load images' }).click()
    await page.getByRole('tab', { name: 'Phone' }).click()
    await heading()
    expect(await notice.count()).toBe(0)

    for (const [language, button] of [
      ['de-DE', 'Bilder laden'],
      ['fr-FR', 'Charger les images'],
    ] as const) {
      const reader = await visitor(somebody.browser, { width: 390, theme: 'light', language })
      await signIn(reader, showcase)
      asked.length = 0
      await reader.page.goto(`${showcase.url}/app/${projectId}/messages/${list.data[0].id}`)
      await reader.page.getByRole('button', { name: button }).waitFor()
      expect(asked).toEqual([])
      if (process.env.PICTURES)
        await reader.page.screenshot({ path: `/tmp/lq/${language}.png`, fullPage: true })
      await reader.close()
    }
  })
})
