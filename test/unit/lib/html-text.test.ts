import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compile } from 'html-to-text'
import { decodeHtmlEntities } from '../../../src/lib/entities'
import { forwardFinder } from '../../../src/lib/find'
import { htmlToText } from '../../../src/lib/html-text'
import { expectLinear } from '../../support/cost'

const convert = (html: string): string => htmlToText(html, { showsLink: href => href.startsWith('http') })

const rows: Array<[name: string, html: string, expected: string]> = [
  ['nothing', '', ''],
  ['words between inline elements', 'a<b>b</b> <i> c </i>d', 'ab c d'],
  ['a greater-than sign inside a value', '<p title="a > b">x</p>', 'x'],
  ['a greater-than sign inside a bare quote', "<p title=it's>x</p>", 'x'],
  ['a value whose quote never closes', '<p title="a>x</p>y', 'x\n\ny'],
  ['comments, declarations and instructions', '<!DOCTYPE html><!-- <p>no</p> --><?xml?>a<!---->b', 'ab'],
  [
    'conditional comments',
    '<!--[if mso]><p>no</p><![endif]-->a<!--[if !mso]><!--><p>b</p><!--<![endif]-->',
    'a\n\nb',
  ],
  ['a comment that never ends', 'a<!-- b', 'a'],
  ['lone angle brackets', '1 < 2 > 1 <3', '1 < 2 > 1 <3'],
  ['a script that holds markup', '<script>if (a < b) "</p>"</script>x', 'x'],
  ['upper case names', '<STYLE>a</STYLE><P>x</P><A HREF="http://a.b">y</A>', 'x\n\ny (http://a.b)'],
  ['a head that nobody closed', '<head><meta><body>x', 'x'],
  ['a head beside a header', '<head></head><body><header>x</header>y', 'x\ny'],
  ['letters that change length in lower case', 'İ<style>x</style>İ<B>y</B>', 'İİy'],
  ['empty lines', 'a<br><br><br><br>b', 'a\n\nb'],
  ['preformatted text', '<pre>a  b\n  c</pre>d', 'a  b\n  c\n\nd'],
  ['an address that a line break cuts', '<a href="http://x \n/y">a</a>', 'a (http://x /y)'],
  ['a block inside a link', '<a href="http://x"><div>a</div></a>b', 'a (http://x)\nb'],
  [
    'a link that opens inside a link',
    '<a href="http://x">a<a href="http://y">b</a></a>',
    'a (http://x)b (http://y)',
  ],
  ['a link that never closes', '<a href="http://x">a', 'a (http://x)'],
  [
    'a hidden preheader',
    '<body><div style="display:none;max-height:0">Look <div>in</div> &#847;&zwnj;</div><p>Hi',
    'Hi',
  ],
  ['a hidden element that never closes', '<p style="display: none">a<p>b', 'a\n\nb'],
  ['tabs of preformatted text', '<pre>a\tb\n\tc</pre>', 'a\tb\n        c'],
  ['the mark of a signature', '<p>Bye</p><p>-- <br>Ada</p>', 'Bye\n\n-- \nAda'],
  ['also as a paragraph', '<p>Bye</p><p>-- </p><p>Ada</p>', 'Bye\n\n-- \n\nAda'],
  ['names in an address', '<a href="http://x/?q=&alpha;&copy=1&amp">a</a>', 'a (http://x/?q=α&copy=1&)'],
  ['empty cells', '<tr><td></td><td>a</td><td></td><td>b</td><td></td></tr>', 'a\t\tb'],
  ['an empty item', '<ul><li></li><li><p>a</p></li></ul>', '- a'],
]

describe('HTML to text', () => {
  test.each(rows)('%s', (_name, html, expected) => expect(convert(html)).toBe(expected))

  const reference = compile({
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true } },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      ...['h1', 'h2'].map(selector => ({ selector, options: { uppercase: false } })),
    ],
  })
  const words = (text: string): string => text.replace(/\s+/g, '')

  test('finds the same words as an independent converter, whatever the markup', () => {
    const text = fc.constantFrom(
      'one',
      ' two ',
      '\n',
      'a &amp; b',
      '&lt;tag&gt;',
      '&eacute;&#233;&#xe9;',
      'x &unknown; y',
      '3 &gt; 2',
      'dot.',
    )
    const { html } = fc.letrec<{ html: string; element: string }>(tie => ({
      html: fc
        .array(fc.oneof({ maxDepth: 5 }, text, tie('element')), { maxLength: 4 })
        .map(parts => parts.join('')),
      element: fc.oneof(
        fc
          .tuple(fc.constantFrom('p', 'div', 'b', 'span', 'h1', 'h2', 'section'), tie('html'))
          .map(([name, inner]) => `<${name} class="x">${inner}</${name}>`),
        text.map(inner => `<a href='https://x.example/?a=1&amp;b'>t${inner}</a>`),
        text.map(inner => `<style>${inner}</style><script>${inner}</script>`),
        fc.tuple(text, text).map(([a, b]) => `<table><tr><td>${a}</td> <td>${b}</td></tr></table>`),
        text.map(inner => `<ul><li>i${inner}</li></ul>`),
        fc
          .constantFrom('<br>', '<br/>', '<!-- c -->', '<hr class="a">')
          .filter(part => !part.startsWith('<hr')),
      ),
    }))
    fc.assert(
      fc.property(html, sample => expect(words(convert(sample))).toBe(words(reference(sample)))),
      { numRuns: 3_000 },
    )
  })

  test('never throws and leaves no blank at a line end, whatever the text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '<p',
      '<a href="http://x',
      '"',
      "'",
      '=',
      ' ',
      'a',
      '<!--',
      '-->',
      '</p>',
      '<td>',
      '</td>',
      '<br>',
      '<li>',
      '</li>',
      '&amp;',
      '&#0;',
      '<pre>',
      '</pre>',
      '<head>',
      '<style>',
      '\n',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map(parts => parts.join('')),
        html => {
          const text = convert(html)
          expect(text).toBe(html.includes('<pre>') ? text : text.replace(/[ \t]+$/gm, ''))
          expect(text).not.toMatch(/\n{3}/)
        },
      ),
      { numRuns: 3_000, examples: [['<a href="http://x \n<"']] },
    )
  })

  test.each([
    '<a ',
    '<a href="',
    "<a b='",
    '<style',
    '<style>',
    '<head>',
    '<!',
    '<!--',
    '<p title="x',
    '<td>',
    '</td>',
    '<br>',
    '<a href="http://x">a',
    '&#1',
    '<li>',
    '<p =',
    '=" ',
    '<pre>\n',
  ])('%p repeated to a million characters takes linear time', unit => {
    expectLinear(times => convert(unit.repeat(times)), Math.floor(1_000_000 / unit.length))
  })
})

test.each([
  ['&amp;amp;', '&amp;'],
  ['&lt;&GT;&hellip;&Eacute;&yuml;&nbsp;', '<>…Éÿ\u00a0'],
  ['&Kappa;&alpha;&diams;&ccaron;&checkmark;&ZeroWidthSpace;&lbrack;&nbsp', 'Κα♦č✓\u200b[\u00a0'],
  ['&#8364;&#x20AC;&#0;&#xD800;&#9999999;', '€€\ufffd\ufffd\ufffd'],
  ['&unknown; & &amp', '&unknown; & &'],
  ['&constructor;', '&constructor;'],
])('%p decodes to %p', (text, expected) => expect(decodeHtmlEntities(text)).toBe(expected))

test('a forward finder answers like indexOf', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab]{0,30}$/), fc.array(fc.nat(32)), (source, questions) => {
      const find = forwardFinder(source, 'ab')
      for (const from of questions.sort((a, b) => a - b)) expect(find(from)).toBe(source.indexOf('ab', from))
    }),
  )
})

test('hidden elements that never close are read in linear time', () => {
  expectLinear(size => convert('<p style="display:none">x'.repeat(size)), 2_000)
})
