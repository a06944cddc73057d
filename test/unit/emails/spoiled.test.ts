// Placeholders of our own links that an editor spoiled are sent as they were meant; others are warned of.
import { expect, test } from 'bun:test'
import { createTemplateCache } from '../../../src/liquid/cache'
import { renderContent } from '../../../src/modules/sending/emails/compose'
import { templateWarnings } from '../../../src/modules/sending/templates/warnings'

const url = 'https://mail.example/unsubscribe/x?a=1&t=2'
const scope = { unsubscribeUrl: url, data: { unsubscribeUrl: url } }

test.each([
  '%7B%7BunsubscribeUrl%7D%7D',
  '%7b%7b%20unsubscribeUrl%20%7d%7d',
  'http://{{unsubscribeUrl}}',
  'https://{{ unsubscribeUrl }}',
  'http://%7B%7BunsubscribeUrl%7D%7D',
  'http://{{data.unsubscribeUrl}}',
  '%7B%7Bdata.unsubscribeUrl%7D%7D',
])('%s is mended', href => {
  const body = `<p><a href="${href}">leave</a></p>`
  const { html, text } = renderContent(createTemplateCache(), { subject: 'x', body }, scope)
  expect(html).toContain(`<a href="${url.replace('&', '&amp;')}">`)
  expect(text).toBe(`leave (${url})`)
  const known = { contacts: 0, fields: new Map<string, number>() }
  expect(templateWarnings({ subject: 'x', body, type: 'HEADLESS' }, known, [])).toEqual([])
})

test.each([
  ['<a href="%7B%7Bshop%7D%7D">x</a>', ['empty_link']],
  ['<a href="http://{{ shopUrl }}">x</a>', ['empty_link']],
  ['<a href="https://editor.example/{{unsubscribeUrl}}">x</a>', ['empty_link']],
  ['<a href="about:///{{ manageUrl }}">x</a>', ['empty_link']],
  ['<a href="https://r.acme.example/?to={{manageUrl}}">x</a>', []],
  ['<a href="https://{{shop}}.acme.example/">x</a>', []],
  ['<!-- <img src="x"><a href="#">x</a> -->', []],
  ['<img title="a > b" alt="c"><a title=">" href="https://x.example">x</a>', []],
  ['<img title=">" src="x"><a href="{{ u | default: \'#\' }}">x</a>', ['image_without_text']],
])('%s is warned of as %p', (body, codes) => {
  const known = { contacts: 0, fields: new Map(['shop', 'shopUrl', 'u'].map(name => [name, 0])) }
  const warnings = templateWarnings({ subject: 'x', body, type: 'MARKETING' }, known, [])
  expect(warnings.map(({ code }) => String(code))).toEqual(codes)
})
