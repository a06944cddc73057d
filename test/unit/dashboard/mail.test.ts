// What the block editor and Markdown make: the structural rules of mail programs (Outlook's engine is Word's) held against ten mails.
import { describe, expect, test } from 'bun:test'
import { type Block, documentVersion, readDocument } from '../../../src/dashboard/editor/mail/document'
import { markdownBlocks } from '../../../src/dashboard/editor/mail/markdown'
import { layoutWidth, renderMail } from '../../../src/dashboard/editor/mail/render'
import { withSamples } from '../../../src/dashboard/editor/samples'
import * as words from '../../../src/dashboard/texts/en/samples'
import { withTime } from '../../../src/liquid/costly'
import { checkSyntax } from '../../../src/liquid/syntax'
import { compileTemplate } from '../../../src/liquid/template'
import { compileText } from '../../../src/modules/sending/emails/text'
import { bodyStyles, tagsOf, violations } from '../../support/mail-rules'

const { samples } = withSamples(words)

const blocks = (...content: Block[]): string => renderMail(readDocument({ doc: { type: 'doc', content } }))
const inner = (...content: Block[]): string =>
  /<table[^>]*>\n([\s\S]*)\n<\/table>|<table[^>]*>\n([\s\S]*?)<\/table>\n<\/td>/.exec(
    blocks(...content),
  )?.[0] ?? ''
const text = (words: string, ...marks: Block['marks'] & object): Block => ({
  type: 'text',
  text: words,
  marks,
})

test('there are ten mails to begin with', () => {
  expect(samples).toHaveLength(10)
  expect(new Set(samples.map(sample => sample.id)).size).toBe(10)
})

describe.each(samples.map(sample => [sample.name, renderMail(sample.document)] as const))('%s', (_, html) => {
  test('keeps the rules of mail programs', () => expect(violations(html)).toEqual([]))
  test('has Liquid that can be read', () => expect(checkSyntax(html, 'body', true)).toBeUndefined())
  test('is far from what Gmail cuts', () => expect(html.length).toBeLessThan(30_000))
})

describe('the rules find what they are for', () => {
  test.each<[string, string]>([
    ['<div style="display:flex"></div>', 'flex'],
    ['<table><tr><td></td></tr></table>', 'role'],
    ['<img src="https://a.example/b.png" width="700">', 'alt'],
    ['<td width="700"></td>', '700'],
    ['<p style="position:absolute"></p>', 'position'],
    ['<script></script>', 'script'],
    [
      '<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr></table>',
      'closes something else',
    ],
    ['<a href="javascript:alert(1)">x</a>', 'javascript'],
    ['<p style="color:red;background:url(x)"></p>', 'background'],
  ])('%s', (html, word) => expect(violations(html).join()).toContain(word))
})

describe('blocks', () => {
  test('text keeps its marks and nothing of it is HTML', () => {
    const html = inner({ type: 'paragraph', content: [text('a < b & c'), text('bold', { type: 'bold' })] })
    expect(html).toContain('a &lt; b &amp; c<strong>bold</strong>')
  })

  test('a variable is a placeholder, and its fallback can not break out of it', () => {
    const variable = (name: string, fallback: string): Block => ({
      type: 'variable',
      attrs: { name, fallback },
    })
    const html = inner({ type: 'paragraph', content: [variable('name', 'you & me "}} <b>')] })
    expect(html).toContain('{{name ?? "you &amp; me  &lt;b&gt;"}}')
    expect(inner({ type: 'paragraph', content: [variable('a}}b', '')] })).toContain('{{ab}}')
  })

  test.each(['javascript:alert(1)', ' JavaScript:x', 'data:text/html,x', '//evil.example', 'vbscript:x'])(
    'no link leads to %s',
    href => {
      const html = blocks(
        { type: 'paragraph', content: [text('x', { type: 'link', attrs: { href } })] },
        { type: 'button', attrs: { text: 'x', href } },
        { type: 'image', attrs: { src: href, alt: '' } },
      )
      expect(html).not.toContain(href.trim())
    },
  )

  test('colours that are none are left out of the styles', () => {
    const html = renderMail(readDocument({ theme: { accent: 'red;background:url(x)', ink: 7 } }))
    expect(html).not.toContain('url(')
    expect(violations(html)).toEqual([])
  })

  test('what is white on light or black on dark is turned round', () => {
    const ink = (color: string): string =>
      /color:(#\w+);text-decoration:none/.exec(
        blocks({ type: 'button', attrs: { text: 'x', href: 'https://a.example', color } }),
      )![1]!
    expect([ink('#ffe08a'), ink('#222222')]).toEqual(['#1a1816', '#ffffff'])
  })

  test('lines are quiet on a dark screen, too', () => {
    const html = blocks(
      { type: 'divider' },
      { type: 'blockquote', content: [{ type: 'paragraph', content: [text('Words')] }] },
    )
    expect(html.match(/<td[^>]*border-(?:top|left):[^>]*>/g)).toHaveLength(2)
    for (const [cell] of html.matchAll(/<td[^>]*border-(?:top|left):[^>]*>/g))
      expect(cell).toContain('class="line"')
    expect(html).toMatch(/prefers-color-scheme: dark[^@]*\.line \{ border-color: #45413c !important; \}/)
  })

  test('an image is never wider than the room it has, in columns too', () => {
    const wide: Block = { type: 'image', attrs: { src: 'https://a.example/b.png', alt: 'x', width: 2_000 } }
    const html = blocks(wide, {
      type: 'columns',
      content: [
        { type: 'column', content: [wide] },
        { type: 'column', content: [wide] },
      ],
    })
    const widths = tagsOf(html)
      .filter(tag => tag.name === 'img')
      .map(tag => tag.attributes['width'])
    expect(widths).toEqual(['536', '256', '256'])
  })

  test('a block of a later editor keeps its words', () => {
    expect(inner({ type: 'poem', content: [text('roses')] })).toContain('roses')
    expect(inner({ type: 'frame', content: [{ type: 'paragraph', content: [text('inside')] }] })).toContain(
      'inside',
    )
  })
})

describe('blocks of the second version', () => {
  const paragraph = (words: string, attrs = {}): Block => ({
    type: 'paragraph',
    attrs,
    content: [text(words)],
  })
  const image = (attrs = {}): Block => ({
    type: 'image',
    attrs: { src: 'https://a.example/b.png', alt: 'x', ...attrs },
  })
  const section: Block = {
    type: 'section',
    attrs: { background: '#24543f', radius: 8, border: 2 },
    content: [paragraph('Inside'), image()],
  }
  const rows: Block = {
    type: 'rows',
    attrs: {
      list: 'order.items',
      columns: [
        { title: 'Item <b>', field: 'name', align: 'left' },
        { title: 'Price', field: 'price }}{% raw %}', align: 'right' },
      ],
    },
  }
  const all: Block[] = [
    section,
    rows,
    paragraph('Words', { border: 3, fontSize: 20, lineHeight: 1.5, color: '#aa0000', paddingTop: 30 }),
    { type: 'columns', attrs: { widths: [25, 50, 25], background: '#eeeeee' }, content: threeColumns() },
    { type: 'video', attrs: { src: 'https://a.example/v.jpg', alt: 'A film', href: 'https://v.example' } },
    image({ width: 200, align: 'right', radius: 12 }),
    {
      type: 'social',
      attrs: {
        links: [
          { name: 'A & B', href: 'https://s.example' },
          { name: 'Bad', href: 'javascript:x' },
        ],
      },
    },
    { type: 'divider', attrs: { border: 4, borderColor: '#00aa00' } },
    { type: 'blockquote', content: [paragraph('Said')], attrs: { paddingTop: 10 } },
  ]
  function threeColumns(): Block[] {
    return ['1', '2', '3'].map(words => ({ type: 'column', content: [paragraph(words), image()] }))
  }

  test.each(all.map(block => [block.type, block] as const))(
    '%s keeps the rules of mail programs',
    (_, block) => expect(violations(blocks(block))).toEqual([]),
  )

  test('all of them are Liquid that can be read', () =>
    expect(checkSyntax(blocks(...all), 'body', true)).toBeUndefined())

  test('words on a dark background are light, on a dark screen too', () => {
    const html = blocks(section)
    expect(html).toMatch(/<p style="[^"]*color:#ffffff;/)
    expect(html).toContain('bgcolor="#24543f"')
    // 536, less 16 and the border at each side.
    expect(html).toContain('width="500"')
  })

  test('sizes, lines and space are those that are set', () => {
    const html = blocks(all[2]!)
    expect(html).toContain('font-size:20px;line-height:30px;color:#aa0000;')
    expect(html).toContain('padding:30px 16px 12px 16px;border:3px solid')
  })

  test('columns share the width as is set, or alike', () => {
    const widths = (attrs: object): string[] =>
      [
        ...blocks({ type: 'columns', attrs: { ...attrs }, content: threeColumns() }).matchAll(
          /<img[^>]*width="(\d+)"/g,
        ),
      ].map(([, width]) => width!)
    expect(widths({ widths: [25, 50, 25] })).toEqual(['122', '244', '122'])
    expect(widths({})).toEqual(['162', '162', '162'])
    expect(widths({ widths: [50, 50] })).toEqual(['162', '162', '162'])
  })

  test('a table has a row for each thing in a list, and its text has, too', () => {
    const html = blocks(rows)
    expect(html).toContain('{% for item in order.items %}<tr>')
    expect(html).toContain('{{item.name}}')
    expect(html).toContain('{{item.priceraw}}')
    expect(html).toContain('Item &lt;b&gt;')
    const items = [
      { name: 'Bread <1>', priceraw: '4' },
      { name: 'Rolls', priceraw: '2' },
    ]
    const scope = { order: { items } }
    const [rendered, written] = withTime(() => [
      compileTemplate(html).render(scope),
      compileText(html).render(scope),
    ])
    expect(rendered).toContain('Bread &lt;1&gt;')
    expect(written).toMatch(/Bread <1>\s+4\s+Rolls\s+2/)
  })

  test('no link of a block leads to a script', () => expect(blocks(...all)).not.toContain('javascript:'))

  test('what the first version kept is read as the second', () => {
    const footer = { type: 'footer', attrs: { unsubscribe: 'Leave' }, content: [text('Us')] }
    const doc = { type: 'doc', content: [{ type: 'section', content: [footer] }] }
    const read = readDocument({ doc })
    expect(read.version).toBe(documentVersion)
    const html = renderMail(read)
    expect(html).toMatch(/Us<br><a href="\{\{unsubscribeUrl\}\}"[^>]*>Leave<\/a>/)
    expect(readDocument(read)).toEqual(read)
    expect(JSON.stringify(read)).not.toContain('"unsubscribe"')
  })
})

test('what is no document is an empty mail', () => {
  for (const kept of [null, 7, 'x', [], {}, { doc: 7 }, { doc: { type: 'x' } }, { doc: { type: 'doc' } }])
    expect(violations(renderMail(readDocument(kept)))).toEqual([])
})

describe('Markdown', () => {
  const render = (source: string): string => renderMail(readDocument({ doc: markdownBlocks(source) }))

  test('becomes the same tables', () => {
    const html = render(`# Hello {{firstName ?? "you"}}

Some *quiet* and **loud** words, a [link](https://a.example/?a=1&b={{id}}) and \`code\`.

- one
- two
  1. inner

> said

![A picture](https://a.example/b.png)

[Begin](https://a.example/start "button")

---

| a | b |
`)
    expect(violations(html)).toEqual([])
    expect(html).toContain('Hello {{firstName ?? "you"}}')
    expect(html).toContain('href="https://a.example/?a=1&amp;b={{id}}"')
    expect(html).toContain('<em>quiet</em>')
    expect(html).toContain('border-radius:6px;mso-padding-alt')
  })

  test('Liquid in it stays what it is, and tags stand around rows', () => {
    const html = render(
      `{% if plan == "team" %}\n\nFor *teams* only: {{ seats | plus: 1 }} & "quotes" < more\n\n{% endif %}`,
    )
    expect(html).toMatch(/\{% if plan == "team" %\}\s*<tr>/)
    expect(html).toContain('{{ seats | plus: 1 }} &amp; "quotes" &lt; more')
    expect(checkSyntax(html, 'body', true)).toBeUndefined()
  })
})

test('the document says the language of its words', () => {
  const empty = readDocument({})
  expect(renderMail(empty)).toContain('<html lang="en">')
  expect(renderMail(empty, 'fr')).toContain('<html lang="fr">')
  expect(renderMail(empty, '"><script>')).not.toContain('<script>')
})

test('the sheet of styles has nothing that a mail program would choke on', () => {
  expect(bodyStyles(renderMail(readDocument({})))).not.toMatch(/@import|url\(|position|expression/)
})

test.each([
  ['', 600],
  [
    '<style>@media (max-width: 520px) {}</style><table width="100%"><table style="max-width:680px">{{ content }}',
    680,
  ],
  ['<table width="640"><td width="120"></td>{{content}}<table width="720">', 640],
  ['<div style="max-width: 9999px">{{ content }}', 600],
])('the paper is as wide as the layout %s shows it', (source, width) =>
  expect(layoutWidth(source)).toBe(width),
)
