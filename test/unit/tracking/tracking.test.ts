// Tokens, which links are replaced, and how: for one message, and for a template that many messages are made of.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { makeVault } from '../../../src/lib/vault'
import { createTemplateCache } from '../../../src/liquid/cache'
import { buildMime } from '../../../src/mail/mime/message'
import { makeBulkRenderer } from '../../../src/modules/sending/emails/bulk'
import { renderContent } from '../../../src/modules/sending/emails/compose'
import { isTracked } from '../../../src/modules/sending/emails/tracking-mode'
import { replaceHrefs, trackedUrl } from '../../../src/tracking/links'
import { openUrl, trackMessage } from '../../../src/tracking/message'
import { trackTemplate } from '../../../src/tracking/template'
import { ownToken, readToken, recipientPart, sharedPart } from '../../../src/tracking/token'
import { testRandom } from '../../support/context'

const secrets = { encryptionKey: 'an-encryption-key-0123456789', jwtSecret: 'a-jwt-secret-0123456789' }
const vault = makeVault(secrets, testRandom)
const baseUrl = 'https://mail.acme.example'
const tools = { vault, baseUrl }
const id = (): string => Bun.randomUUIDv7()
const message = { projectId: id(), emailId: id() }
const group = { projectId: id(), groupId: id() }

/** The `href` values of all links, as written. */
function hrefs(html: string): string[] {
  const found: string[] = []
  replaceHrefs(html, raw => void found.push(raw))
  return found
}

const tokenOf = (url: string): string => url.split('/').at(-1)!

/** What the links of a message lead to, in order; the hidden one left out. */
function targets(html: string): string[] {
  return hrefs(html).flatMap(href => {
    if (!href.startsWith(`${baseUrl}/t/c/`)) return [href]
    const read = readToken(vault, tokenOf(href))!
    return read.kind === 'trap' ? [] : [read.url]
  })
}

describe('a token', () => {
  const url = 'https://example.com/ü?a=1&b=2#c'
  const own = ownToken(vault, message, 'link', url)
  const emailId = id()
  const shared = `${sharedPart(vault, group, 'link', url)}.${recipientPart(vault, { ...group, emailId })}`

  test('says project, message, kind and address', () => {
    expect(readToken(vault, own)).toEqual({ ...message, kind: 'link', url })
    expect(readToken(vault, shared)).toEqual({ projectId: group.projectId, emailId, kind: 'link', url })
    expect(readToken(vault, ownToken(vault, message, 'open'))).toEqual({ ...message, kind: 'open', url: '' })
    expect(readToken(vault, ownToken(vault, message, 'trap'))).toEqual({ ...message, kind: 'trap', url: '' })
  })

  test('with any character changed, cut or added is none', () => {
    for (const token of [own, shared])
      for (let at = 0; at < token.length; at++) {
        const other = token[at] === 'A' ? 'B' : 'A'
        // The last character of a base64url text holds bits that nobody reads; the signature covers the text, not the bytes.
        expect(readToken(vault, token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined()
        expect(readToken(vault, token.slice(0, at))).toBeUndefined()
      }
    for (const token of ['', '.', 'x', `${own}A`, `${own}.${own}`, 'A'.repeat(66), 'A'.repeat(10_000), '\0'])
      expect(readToken(vault, token)).toBeUndefined()
  })

  test('of another instance is none', () => {
    const other = makeVault({ ...secrets, jwtSecret: 'another-jwt-secret-0123456789' }, testRandom)
    expect(readToken(other, own)).toBeUndefined()
    expect(readToken(other, shared)).toBeUndefined()
  })

  test('can not be put together from parts of different groups, nor a part stand alone', () => {
    const foreign = { projectId: group.projectId, groupId: id() }
    const link = sharedPart(vault, group, 'link', url)
    expect(readToken(vault, `${link}.${recipientPart(vault, { ...foreign, emailId })}`)).toBeUndefined()
    expect(
      readToken(vault, `${link}.${recipientPart(vault, { ...group, projectId: id(), emailId })}`),
    ).toBeUndefined()
    expect(readToken(vault, link)).toBeUndefined()
    expect(readToken(vault, `${own}.${recipientPart(vault, { ...group, emailId })}`)).toBeUndefined()
  })
})

describe('which links are tracked', () => {
  const contactId = id()
  test.each<[string, string | undefined]>([
    ['https://example.com/', 'https://example.com/'],
    ['HTTP://EXAMPLE.com', 'HTTP://EXAMPLE.com'],
    [' https://example.com/a?b=1&amp;c=2 ', 'https://example.com/a?b=1&c=2'],
    ['https://example.com/?a=1&copy=2', 'https://example.com/?a=1&copy=2'],
    ['https://exa\nmple.com/', 'https://example.com/'],
    ['https://bücher.example/ä ö', 'https://bücher.example/ä ö'],
    [`https://example.com/${'x'.repeat(1_900)}`, `https://example.com/${'x'.repeat(1_900)}`],
    [`${baseUrl}/blog`, `${baseUrl}/blog`],
    [`${baseUrl}/tea`, `${baseUrl}/tea`],
    ['https://example.com/manage/orders', 'https://example.com/manage/orders'],
    [`https://example.com/${'x'.repeat(2_000)}`, undefined],
    ['', undefined],
    ['#top', undefined],
    ['/relative', undefined],
    ['//example.com/', undefined],
    ['mailto:a@example.com', undefined],
    ['tel:+49', undefined],
    ['sms:+49', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['java\nscript:alert(1)', undefined],
    ['https://', undefined],
    ['https://exa mple.com/', undefined],
    [`${baseUrl}/unsubscribe/${contactId}?t=x`, undefined],
    [`${baseUrl}/subscribe/${contactId}?t=x`, undefined],
    [`${baseUrl}/manage/${contactId}`, undefined],
    [`${baseUrl}/message/${contactId}?t=x`, undefined],
    [`${baseUrl}/t/c/x`, undefined],
    ['https://example.com/unsubscribe', undefined],
    ['https://example.com/unsubscribe?list=1', undefined],
    [`https://example.com/manage/${contactId}`, undefined],
  ])('%#: %.60s', (raw, expected) => {
    expect(trackedUrl(raw, baseUrl)).toBe(expected)
  })

  test('not one whose author says so', () => {
    const html = '<a data-no-track href="https://a.example/">a</a>'
    expect(trackMessage(tools, message, html)).toStartWith(html)
  })

  test.each<[string, string[]]>([
    ['<area HREF=https://a.example/>', ['https://a.example/']],
    ['<a href=\'https://a.example/?q="x"\'>a</a>', ['https://a.example/?q="x"']],
    ['<link href="https://a.example/style.css"><img src="https://a.example/x.png">', []],
    ['<!-- <a href="https://a.example/"> -->', []],
    ['<textarea><a href="https://a.example/"></textarea>', []],
  ])('in %s', (html, expected) => {
    expect(targets(trackMessage(tools, message, html))).toEqual(expected)
  })
})

describe('a message', () => {
  const html =
    '<html><body><p><a class="x" href="https://a.example/?a=1&amp;b=2">one</a> <a href="mailto:a@b.c">two</a></p></body></html>'

  test('bears its two marks in front of the end of the body, out of the way of people', () => {
    const tracked = trackMessage(tools, message, html)
    const marks =
      /<a href="([^"]+)" rel="nofollow" aria-hidden="true" tabindex="-1" style="display:none"><\/a><table role="presentation" aria-hidden="true"[^>]*><tr><td background="([^"]+)"[^>]*><\/td><\/tr><\/table><\/body><\/html>$/.exec(
        tracked,
      )!
    expect(readToken(vault, tokenOf(marks[1]!))).toMatchObject({ kind: 'trap', ...message })
    expect(marks[2]).toStartWith(`${baseUrl}/t/o/`)
    expect(readToken(vault, tokenOf(marks[2]!))).toMatchObject({ kind: 'open', ...message })
    expect(tracked).toStartWith(`<html><body><p><a class="x" href="${baseUrl}/t/c/`)
    expect(tracked).toContain('<a href="mailto:a@b.c">two</a></p>')
  })

  test.each([
    ['that is short', '<p>Hello</p>', false],
    ['that only speaks of images', '<p>&lt;img&gt; <imgs></p>', false],
    ['with an image of its author', '<p><IMG src="a.png">Hello</p>', true],
    ['that is long', `<p>${'Hello '.repeat(800)}</p>`, true],
  ])('%s: the picture is an image only where filters do not mind: %p', (_, body, isImage) => {
    const url = openUrl(baseUrl, ownToken(vault, message, 'open'))
    expect(trackMessage(tools, message, body)).toContain(
      isImage ? `<img src="${url}"` : `<td background="${url}"`,
    )
  })

  test('is not tracked twice', () => {
    const once = trackMessage(tools, message, html)
    expect(trackMessage(tools, message, once)).toBe(once)
    const forwarded = trackMessage(tools, { ...message, emailId: id() }, once)
    expect(hrefs(forwarded).slice(0, 3)).toEqual(hrefs(once).slice(0, 3))
  })

  test('of any links leads to the very same addresses', () => {
    const path = fc.string({ unit: 'grapheme', maxLength: 40 }).map(text => encodeURI(text.toWellFormed()))
    const web = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.tuple(fc.domain(), path).map(([host, rest]) => `https://${host}/${rest}`),
    )
    const other = fc.constantFrom('#x', '', 'mailto:a@b.c', 'tel:1', `${baseUrl}/unsubscribe/x`)
    const text = fc.stringMatching(/^[\w &;{}%<]{0,20}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(web, web, other), text), { maxLength: 8 }), links => {
        const quoted = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
        const urls = links.map(([url]) => url)
        const source = links.map(([url, text]) => `<p>${text}<a href="${quoted(url)}">x</a>`).join('\n')
        fc.pre(hrefs(source).length === links.length)
        const decoded = (html: string): string[] => targets(html).map(url => url.replaceAll('&amp;', '&'))
        expect(decoded(trackMessage(tools, message, source))).toEqual(urls)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a template', () => {
  const cache = createTemplateCache()
  const render = (body: string, scope: Record<string, unknown>, emailId: string) => {
    const tracked = trackTemplate(tools, group, body)!
    return makeBulkRenderer(cache, { subject: 'x', body }, tracked)(scope, undefined, emailId)
  }
  const scope = {
    name: 'Ada',
    code: 'a&b',
    site: 'https://own.example/?x=1&y=2',
    unsubscribeUrl: `${baseUrl}/unsubscribe/x?t=1`,
    items: [{ url: 'https://one.example/' }, { url: 'https://two.example/' }],
    evil: '"><a href="https://evil.example/">',
  }

  test.each<[string, string[]]>([
    ['<a href="https://a.example/?a=1&amp;b=2">{{name}}</a>', ['https://a.example/?a=1&b=2']],
    ['<a href="https://a.example/{{code}}/x">{{name}}</a>', ['https://a.example/a&b/x']],
    [
      '<a href="{{site}}">{{name}}</a><a href={{site}}>',
      [1, 2].map(() => 'https://own.example/?x=1&amp;y=2'),
    ],
    ["<a href='https://a.example/{{ name | append: \"'x'\" }}'>", ["https://a.example/Ada'x'"]],
    ['<a href="{% if name %}https://a.example/{% else %}#{% endif %}">', ['https://a.example/']],
    [
      '{% for item in items %}<a href="{{item.url}}">x</a><a href="https://a.example/">y</a>{% endfor %}',
      ['https://one.example/', 'https://a.example/', 'https://two.example/', 'https://a.example/'],
    ],
    ['<a href="{{unsubscribeUrl}}">x</a>', [scope.unsubscribeUrl]],
    ['<a href="{{ unsubscribeUrl }}&amp;x=1">x</a>', [`${scope.unsubscribeUrl}&amp;x=1`]],
    ['<a href="mailto:{{name}}@a.example">x</a>', ['mailto:Ada@a.example']],
    ['<a href="{{nothing}}">x</a>', ['']],
    ['<a href="https://a.example/{{evil}}">x</a>', ['https://a.example/"><a href="https://evil.example/">']],
    ['{% raw %}<a href="https://a.example/">{{name}}</a>{% endraw %}', ['https://a.example/']],
    ['<a {% if name %}href="https://a.example/"{% endif %}>', ['https://a.example/']],
  ])('%s', (body, expected) => {
    const emailId = id()
    const { html } = render(body, scope, emailId)
    expect(targets(html)).toEqual(expected)
    const tokens = [...html.matchAll(/\/t\/[oc]\/([\w.-]+)/g)].map(match => readToken(vault, match[1]!))
    // The hidden link for programs is only where a link is tracked.
    expect(tokens).not.toBeEmpty()
    expect(tokens.some(token => token?.kind === 'trap')).toBe(tokens.length > 1)
    for (const token of tokens) expect(token).toMatchObject({ projectId: group.projectId, emailId })
    expect(html).not.toMatch(/[\u{f0f00}-\u{f0f03}]|svc_tracking/u)
  })

  test('renders everything but its links as it would without', () => {
    const bodies = [
      '<p>{{name}} {% if code %}<b>{{code | upcase}}</b>{% endif %}<a href="https://a.example/">x</a> {% raw %}{{ x }}{% endraw %}',
      "<!doctype html><body><A HREF='https://a.example/{{name}}' title=\"{{name | append: '>'}}\">x</A></body>",
      '<p>{{ broken | }} {% nonsense %} {{name}}</p>',
    ]
    for (const body of bodies) {
      const plain = renderContent(cache, { subject: 'x', body }, scope)
      const tracked = render(body, scope, id())
      const bare = (html: string): string =>
        html
          .replace(
            /(?:<a href="[^"]*" rel="nofollow"[^>]*><\/a>)?<table role="presentation" .*?<\/table>/,
            '',
          )
          .replace(/href=("[^"]*"|'[^']*')/gi, 'href')
          .replace(/<A HREF/i, '<a href')
      const inside = plain.html.includes('class="content"')
        ? /<div class="content">\n([\s\S]*)\n<\/div>/.exec(plain.html)![1]!
        : plain.html
      expect(bare(tracked.html)).toBe(bare(inside))
      expect(tracked.text).toBe(plain.text)
    }
  })

  test('takes no link from a value, whatever the value holds', () => {
    const fence = `\u{f0f02}${vault.sign('tracking-fence', 'x')}https://evil.example/\u{f0f03}`
    for (const name of [scope.evil, fence, '{{svc_tracking}}', '\u{f0f00}0\u{f0f01}']) {
      const { html } = render(
        '<p>{{name}}</p><a href="https://a.example/{{code}}">x</a>',
        { name, code: 1 },
        id(),
      )
      const read = [...html.matchAll(/\/t\/c\/([\w.-]+)/g)].map(match => readToken(vault, match[1]!)!.url)
      expect(read.sort()).toEqual(['', 'https://a.example/1'])
    }
  })

  test('that already holds our marks is sent as it is', () => {
    expect(trackTemplate(tools, group, '<p>\u{f0f00}0\u{f0f01}</p>')).toBeUndefined()
  })

  test('is encoded in pieces, to the bytes that it has as a whole', () => {
    const words = 'Some words that stand for a newsletter that is longer than a line, and more of them.\n'
    const body = `<body>${`<p>${words}<a href="https://a.example/">x</a> <a href="https://a.example/{{name}}">y</a>`.repeat(20)}</body>`
    const renderer = makeBulkRenderer(cache, { subject: 'x', body }, trackTemplate(tools, group, body)!)
    for (const name of ['Ada', 'Ä', 'a b']) {
      const { encoded, ...content } = renderer({ name }, undefined, id())
      expect(Object.keys(encoded)).toContain('html')
      const mail = {
        ...{ from: 'a@b.example', to: 'b@c.example', headers: {}, attachments: [], messageId: '1@x' },
        ...{ date: new Date(0), ...content },
      }
      expect(Buffer.from(buildMime(mail, encoded)).equals(Buffer.from(buildMime(mail)))).toBe(true)
    }
  })
})

test.each<[Parameters<typeof isTracked>, boolean]>([
  [['ENABLED', 'TRANSACTIONAL'], true],
  [['ENABLED', 'CAMPAIGN'], true],
  [['DISABLED', 'TRANSACTIONAL'], false],
  [['DISABLED', 'CAMPAIGN'], false],
  [['MARKETING_ONLY', 'TRANSACTIONAL'], false],
  [['MARKETING_ONLY', 'CAMPAIGN'], true],
  [['MARKETING_ONLY', 'WORKFLOW'], true],
  [['DISABLED', 'TRANSACTIONAL', true], true],
  [['ENABLED', 'TRANSACTIONAL', false], false],
])('tracking with %p is %p', (given, expected) => {
  expect(isTracked(...given)).toBe(expected)
})
