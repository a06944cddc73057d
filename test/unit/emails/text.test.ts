import { describe, expect, test } from 'bun:test'
import { withTime } from '../../../src/liquid/costly'
import { compileText, normaliseText } from '../../../src/modules/sending/emails/text'
import { expectLinear } from '../../support/cost'

type Row = [name: string, html: string, scope: Record<string, unknown>, expected: string]

const rows: Row[] = [
  ['paragraphs', '<p>One</p><p>Two</p>', {}, 'One\n\nTwo'],
  ['a bare text', 'Hi {{name}}', { name: 'Ada' }, 'Hi Ada'],
  ['line breaks', 'a<br>b<br/>c', {}, 'a\nb\nc'],
  ['rulers', 'a<hr>b', {}, 'a\nb'],
  ['a link', '<a href="https://x.example/a?b=1&amp;c=2">here</a>', {}, 'here (https://x.example/a?b=1&c=2)'],
  [
    'a link that is its own text',
    '<a href="https://x.example">https://x.example</a>',
    {},
    'https://x.example',
  ],
  [
    'a link made of a variable',
    '<a href="{{unsubscribeUrl}}">Leave</a>',
    { unsubscribeUrl: 'https://x/u' },
    'Leave (https://x/u)',
  ],
  ['a link without text', '<a href="https://x.example"><img src="a.png"></a>', {}, 'https://x.example'],
  [
    'a linked picture',
    '<a href="https://x.example"><img alt="Shop" src="a.png"></a>',
    {},
    'Shop (https://x.example)',
  ],
  [
    'other schemes',
    '<a href="mailto:a@b.c">write</a> <a href="#top">up</a> <a href="javascript:x">j</a>',
    {},
    'write up j',
  ],
  [
    'head, style and script',
    '<html><head><title>T</title><style>a{b:c}</style></head><body><script>x()</script>Hi</body></html>',
    {},
    'Hi',
  ],
  ['style without a body', '<style>a{b:c}</style><title>T</title>Hi', {}, 'Hi'],
  ['entities', 'Tom &amp; Jerry &lt;3 &euro;5&nbsp;!', {}, 'Tom & Jerry <3 €5\u00a0!'],
  ['white space', '<p>  a \n\n  b\t c </p>', {}, 'a b c'],
  ['headings keep their case', '<h1>Hello</h1>text', {}, 'Hello\n\ntext'],
  ['cells', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>', {}, 'a\tb\nc\td'],
  [
    'nested layout tables',
    '<table><tr><td><table><tr><td><p>a</p></td></tr></table></td></tr><tr><td>b</td></tr></table>',
    {},
    'a\n\nb',
  ],
  ['list items', '<ul><li>a</li><li>b</li></ul>', {}, '- a\n- b'],
  [
    'a loop over list items',
    '<ul>{% for i in xs %}<li>{{i}}</li>{% endfor %}</ul>',
    { xs: ['a', 'b'] },
    '- a\n\n- b',
  ],
  [
    'a loop over rows',
    '<table>{% for i in xs %}<tr><td>{{i.n}}</td><td>{{i.p}}</td></tr>{% endfor %}</table>',
    {
      xs: [
        { n: 'a', p: 1 },
        { n: 'b', p: 2 },
      ],
    },
    'a\t1\n\nb\t2',
  ],
  ['a condition', '<p>Hi{% if vip %} <b>star</b>{% else %} you{% endif %}!</p>', { vip: true }, 'Hi star!'],
  ['a condition around a paragraph', '<p>a</p>{% if no %}<p>b</p>{% endif %}<p>c</p>', {}, 'a\n\nc'],
  ['tags inside a style block', '<style>{% if x %}a{}{% endif %}</style>Hi {{n}}', { n: 1 }, 'Hi 1'],
  ['tags inside an attribute', '<p class="{% if x %}a{% else %}b{% endif %}">Hi</p>', {}, 'Hi'],
  [
    'assignments in the head',
    '<head>{% if a %}{% assign g = "x" %}{% else %}{% assign g = "y" %}{% endif %}</head><body>{{g}}</body>',
    { a: 1 },
    'x',
  ],
  ['outputs inside dropped parts', '<style>{{a}}</style><p title="{{a}}">b</p>', { a: 'A' }, 'b'],
  ['fallbacks', '<p>{{name ?? "you"}}</p>', {}, 'you'],
  ['raw', '<p>{% raw %}{{a}}{% endraw %}</p>', { a: 1 }, '{{a}}'],
  ['braces as entities stay text', '<p>&#123;&#123;a}} &#123;% if %}</p>', { a: 1 }, '{{a}} {% if %}'],
  ['private characters of the author', '<p>\ue0000\ue001{{a}}</p>', { a: 1 }, '01'],
  ['markup in a value is text', '<p>{{bio}}</p>', { bio: 'I <b>am</b>' }, 'I <b>am</b>'],
  ['markup in a raw value', '<p>{{bio | raw}}</p>', { bio: 'I <b>am</b> <i>1 < 2</i>' }, 'I am 1 < 2'],
  ['an escaped value', '<p>{{bio | escape}}</p>', { bio: 'a & b' }, 'a & b'],
  ['a list value', '<ul>{{items}}</ul>', { items: ['a', 'b'] }, '- a\n- b'],
  ['broken Liquid', '<p>Hi {{name}} {% if %}</p>', { name: 'Ada' }, 'Hi Ada {% if %}'],
  ['nothing to read', '<img src="x"><style>a</style>', {}, ''],
  ['a broken tag', '<p>a <b', {}, 'a'],
]

describe('the plain-text alternative', () => {
  test.each(rows)('%s', (_name, html, scope, expected) =>
    expect(compileText(html).render(scope)).toBe(expected),
  )

  test('tidying leaves at most one empty line and no blanks at line ends', () => {
    expect(normaliseText('\n\n a \t\r\n\n\n\nb\n\t\tc\n \n')).toBe(' a\n\nb\nc')
  })

  test.each<[name: string, unit: string, times: number, begin?: string]>([
    ['nested elements', '<div>', 200_000],
    ['nested tables', '<table><tr><td>', 50_000],
    ['nested links', '<a href="https://x">', 50_000],
    ['open angle brackets', '<', 1_000_000],
    ['open comments', '<!--', 250_000],
    ['ampersands', '&', 1_000_000],
    ['blanks', ' ', 1_000_000],
    ['attributes', 'a="b" ', 150_000, '<p '],
    ['outputs', '{{a}}', 200_000],
    ['empty blocks', '<p></p>', 150_000],
    ['a body over the limit', '<p>long text</p>', 200_000],
  ])('%s are converted in linear time', (_name, unit, times, begin = '') => {
    expectLinear(size => {
      const text = withTime(() => compileText(begin + unit.repeat(size)).render({ a: 'x' }))
      expect(text.length).toBeLessThanOrEqual(2_000_000)
    }, times)
  })
})
