// A message for many must be, byte for byte, the message that would be made for each of them alone.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createTemplateCache } from '../../../src/liquid/cache'
import { makePieceEncoder } from '../../../src/mail/mime/chunks'
import { buildMime } from '../../../src/mail/mime/message'
import { encodeText } from '../../../src/mail/mime/transfer'
import { makeBulkRenderer } from '../../../src/modules/sending/emails/bulk'
import { renderContent } from '../../../src/modules/sending/emails/compose'

const cache = createTemplateCache()
const bytes = (data: Uint8Array | string): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString('latin1')

describe('pieces', () => {
  const encoder = makePieceEncoder()
  const long = fc.constantFrom(
    'A stretch of text that is longer than what a piece must have to be remembered. ',
    `<p>${'word '.repeat(30)}</p>`,
    `first line\n${'second line with = and ü \n'.repeat(9)}rest`,
    `\n${'x'.repeat(200)}\n`,
    'é'.repeat(60),
  )
  const short = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', ' ', '\n', 'a \n', '=', '\t', '\r\n', '日本'),
  )
  const personal = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '=', ' ', '\t', '.'),
    minLength: 40,
    maxLength: 240,
  })

  test('any pieces come out as their joined text does, or not at all', () => {
    let direct = 0
    fc.assert(
      fc.property(fc.array(fc.oneof(long, short, personal), { maxLength: 10 }), pieces => {
        const encoded = encoder(pieces)
        if (!encoded) return
        direct++
        expect(encoded.chunks.map(bytes).join('')).toBe(bytes(encodeText(pieces.join('')).bytes))
        expect(encodeText(pieces.join('')).encoding).toBe('quoted-printable')
      }),
      { numRuns: 4_000 },
    )
    expect(direct).toBeGreaterThan(500)
  })

  test('an ordinary newsletter is encoded in pieces', () => {
    expect(encoder(['<h1>Hello ', 'Ada', `</h1>\n${'<p>Text</p>\n'.repeat(20)}`])).toBeDefined()
  })
})

describe('messages', () => {
  const footer = { html: '<div>Unsubscribe: <a href="x">y</a></div>', text: 'Unsubscribe: x' }
  const bodies = [
    '<html><body><h1>Hello {{name}}</h1>\n<p>Your plan is {{plan ?? "free"}}.</p></body></html>',
    '<p>Hello {{name}},</p><p>{{plan}}</p><p>bye {{name}}</p>',
    'no tags, {{name}} and {{plan}}',
    '<body>{{name}}</body ><p>{{plan}}</p>',
    '<body>{{name}}</body><!-- {{plan}} </body> -->',
    '{{name}}<!-- never closed {{plan}}',
    '<p>{% if plan %}You have {{plan}}{% else %}nothing{% endif %}</p>',
    '<table><tr><td>{{name}}</td><td>{{plan}}</td></tr></table>\r\n<p>ü</p>',
    '<p>the same for everybody</p>',
    '{{name}}{{plan}}',
    'ünïcödé only: äöüäöüäöüäöüäöü {{name}}',
  ]
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('Ada', '', ' ', 'Ada Lovelace', '</body>', '<b>x</b>', 'two\nlines', '日本語', 'tail '),
    fc.constant(null),
    fc.constant(['a', 'b']),
    fc.integer(),
  )

  test('of any template and values are the bytes of the ordinary way', () => {
    const renderers = new Map(
      bodies.map(body => [body, makeBulkRenderer(cache, { subject: 'News for {{name}}', body })]),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.record({ name: value, plan: value }),
        fc.boolean(),
        (body, scope, hasFooter) => {
          const source = { subject: 'News for {{name}}', body }
          const { encoded, ...bulk } = renderers.get(body)!(scope, hasFooter ? footer : undefined, 'x')
          const ordinary = renderContent(cache, source, scope, hasFooter ? footer : undefined)
          expect(bulk).toEqual(ordinary)
          const mail = {
            from: 'a@example.com',
            to: 'b@example.com',
            headers: {},
            attachments: [],
            messageId: '1@example.com',
            date: new Date(0),
          }
          expect(bytes(buildMime({ ...mail, ...bulk }, encoded))).toBe(
            bytes(buildMime({ ...mail, ...ordinary })),
          )
        },
      ),
      { numRuns: 4_000 },
    )
  })

  test('an ordinary one takes the short way in both of its parts', () => {
    const render = makeBulkRenderer(cache, { subject: 'x', body: bodies[0]! })
    expect(Object.keys(render({ name: 'Ada', plan: 'pro' }, footer, 'x').encoded).sort()).toEqual([
      'html',
      'text',
    ])
  })
})
