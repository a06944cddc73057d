// Which links of a rendered message are its author's: those of the source, and personal ones where the author wrote one, on a site that the
// author wrote there.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { makeVault } from '../../../src/lib/vault'
import { createTemplateCache } from '../../../src/liquid/cache'
import { compileTemplate } from '../../../src/liquid/template'
import { renderStored } from '../../../src/modules/sending/emails/compose'
import { asDocument } from '../../../src/modules/sending/emails/document'
import { trackMessage } from '../../../src/tracking/message'
import { trackTemplate } from '../../../src/tracking/template'
import { readToken } from '../../../src/tracking/token'
import { testRandom } from '../../support/context'

const baseUrl = 'https://mail.acme.example'
const given = (body: string, scope: Record<string, unknown>) =>
  renderStored(createTemplateCache(1_000_000), { subject: 's', body }, scope, tools).givenLinks

describe('a link', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['of the source', '{{x}}<a href="https://shop.example/?a=1&amp;b=2">', { x: 'x' }],
    ['with a value in its path', '<a href="https://shop.example/{{x}}">', { x: 'a' }],
    ['with a value after its host', '<a href="https://shop.example{{x}}">', { x: '/a' }],
    [
      'chosen by a condition',
      '<a href="{% if x %}https://a.example/1{% else %}https://b.example{% endif %}">',
      { x: 1 },
    ],
    ['from an assigned text', '{% assign s = "https://shop.example" %}<a href="{{s}}/{{x}}">', { x: 'a' }],
    [
      'twice, from one place',
      '{% for a in x %}<a href="https://shop.example/{{a}}">{% endfor %}',
      { x: ['a', 'b'] },
    ],
    [
      'from a captured text',
      '{% capture l %}<a href="https://shop.example/{{x}}">{% endcapture %}{{l}}',
      { x: 'a' },
    ],
    ['with the same value in text', '<a href="https://shop.example/{{x}}">{{x}}', { x: 'a"b' }],
    ['from a default', `<a href="{{x | default: 'https://shop.example/a'}}">`, {}],
  ])('%s is the author’s', (_, body, scope) => expect(given(body, scope)).toBeUndefined())

  test.each<[string, string, string]>([
    ['in markup of a value', '<p>{{x | raw}}</p>', '<a href="https://evil.example/">now</a>'],
    ['that is a value', '<a href="{{x}}">', 'https://evil.example/'],
    [
      'to the site of another personal link',
      '<a href="https://shop.example/{{y}}">{{x | raw}}',
      '<a href="https://shop.example/evil">',
    ],
    [
      'in place of an address, to the site of another personal link',
      '<a href="https://shop.example/{{y}}"><a href="{{x}}">',
      'https://shop.example/evil',
    ],
    [
      'by an attribute without quotes',
      '<a href="https://shop.example/{{y}}"></a><a title={{x}}>',
      'a href=https://shop.example/evil',
    ],
    [
      'to the site of a text that the link does not use',
      '{% assign s = "https://shop.example" %}<a href="{{s}}"><a href="{{x}}">',
      'https://shop.example/evil',
    ],
    [
      'that breaks out of the address of its author',
      '<a href="https://shop.example/{{x | raw}}">',
      'a"><a href="https://shop.example/evil',
    ],
    ['with characters of our own', '<a href="https://shop.example/{{x}}">\u{f0f02}', 'a'],
    ['whose host is a value', '<a href="https://{{x}}/a">', 'evil.example'],
    ['whose host goes on with a value', '<a href="https://shop.example{{x}}">', '.evil.example/'],
    ['whose host becomes a name of somebody', '<a href="https://shop.example{{x}}">', '@evil.example/'],
    ['whose host goes on after a character', '<a href="https://shop.example&#46;{{x}}">', 'evil.example/'],
    ['that a value begins', '<a href="{{x}}https://shop.example/">', 'https://evil.example/?'],
    [
      'from a value with a default',
      `<a href="{{x | default: 'https://shop.example/a'}}">`,
      'https://evil.example/',
    ],
  ])('%s is not', (_, body, x) => expect(given(body, { x })).not.toBeUndefined())

  test('is stored as its author wrote it, without a trace of the fences', () => {
    const body = '<a href="https://shop.example/{{x}}?a={{ y | url_encode }}">{{x}}</a>'
    const content = renderStored(
      createTemplateCache(1_000_000),
      { subject: 's', body },
      { x: '"', y: 'ü' },
      tools,
    )
    expect(content.html).toContain('<a href="https://shop.example/&quot;?a=%C3%BC">&quot;</a>')
    expect(content.text).toContain('https://shop.example/"?a=%C3%BC')
  })
})

/** Templates in which a stranger's value stands where it can do the most. */
const body = `<h1>{{x}}</h1>{{x | raw}}<p title={{x}}>{{x}}</p><a {{x}}>a</a><a href={{x}}>a</a><a href="{{x}}">b</a>
<a href="https://shop.example/{{id}}">c</a><a href="https://shop.example{{ path }}">d</a><a href="https://wa.me/1">e</a>
{% assign s = "https://wa.me" %}<a href="{{s}}/{{id}}">f</a>{% capture l %}<a href="{{s}}/{{id}}/g">g{{x | raw}}</a>{% endcapture %}{{l}}`
const authors = [
  'https://shop.example/7',
  'https://shop.example/8',
  'https://wa.me/1',
  'https://wa.me/7',
  'https://wa.me/7/g',
]
const scopeOf = (x: string) => ({ x, id: '7', path: '/8' })

const secrets = { encryptionKey: 'an-encryption-key-0123456789', jwtSecret: 'a-jwt-secret-0123456789' }
const project = { projectId: randomUUID(), emailId: randomUUID() }
const tools = { vault: makeVault(secrets, testRandom), baseUrl }

/** Where the signed links of HTML lead. */
function targets(html: string): Set<string> {
  const tokens = [...html.matchAll(/\/t\/c\/([\w.-]+)/g)].map(([, token]) => readToken(tools.vault, token!)!)
  return new Set(tokens.filter(({ kind }) => kind === 'link').map(({ url }) => url))
}

function sentAlone(x: string): string {
  const content = renderStored(createTemplateCache(1_000_000), { subject: 's', body }, scopeOf(x), tools)
  return trackMessage(tools, project, content.html, content.givenLinks)
}

function sentToMany(x: string): string {
  const group = { projectId: project.projectId, groupId: randomUUID() }
  const tracked = trackTemplate(tools, group, asDocument(body, 's'))!
  const pieces = compileTemplate(tracked.document).pieces(tracked.prepare(scopeOf(x), project.emailId))
  return tracked.finish(pieces, project.emailId).join('')
}

/** Links, and what takes a value out of the place it stands in. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        "'",
        '>',
        '<',
        ' ',
        '=',
        '\u{f0f02}',
        '\u{f0f03}',
        '\u{f0f04}',
        '0',
        '-->',
        '<!--',
        '</a>',
      ),
      fc.constantFrom(
        '<a href="',
        ' href=',
        'https://shop.example/evil',
        'https://wa.me/evil',
        '{{id}}',
        '&quot;',
        '\\',
      ),
      fc.webUrl(),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map(parts => parts.join(''))

test.each([
  ['alone', sentAlone],
  ['to many', sentToMany],
])(
  'a message sent %s leads to what its author wrote, and nowhere else, whatever a value holds',
  (_, sent) => {
    expect([...targets(sent(''))].sort()).toEqual(authors)
    fc.assert(
      fc.property(hostile, x => {
        const html = sent(x)
        for (const url of targets(html)) expect(authors).toContain(url)
        if (!/[\u{f0f02}-\u{f0f04}]/u.test(x)) expect(html).not.toMatch(/[\u{f0f00}-\u{f0f04}]/u)
      }),
      { numRuns: 300 },
    )
  },
)

test('no value takes a link to another site than its author wrote', () => {
  const link = '<a href="https://shop.example{{x}}">'
  fc.assert(
    fc.property(
      fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
      fc.constantFrom('', '.', '@', ':', '\\', '&', '/', '?', '#'),
      (url, glue) => {
        const x = glue + url.slice('https://'.length)
        const isOwn = /^[/?#]/.test(x) || !URL.canParse(`https://shop.example${x}`)
        expect(given(link, { x })).toEqual(isOwn ? undefined : [expect.any(String)])
      },
    ),
  )
})
