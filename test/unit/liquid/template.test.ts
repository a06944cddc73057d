import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { TooCostly, withTime } from '../../../src/liquid/costly'
import { strictEngine } from '../../../src/liquid/engine'
import { scanTemplate } from '../../../src/liquid/scan'
import { checkSyntax, isHeavySource } from '../../../src/liquid/syntax'
import { compileTemplate, variablesOf } from '../../../src/liquid/template'
import { expectLinear } from '../../support/cost'

type Row = [name: string, source: string, scope: Record<string, unknown>, expected: string]

const rendered: Row[] = [
  ['a field', 'Hi {{name}}', { name: 'Ada' }, 'Hi Ada'],
  ['a nested field', '{{profile.tier}}', { profile: { tier: 'gold' } }, 'gold'],
  ['a missing field', '[{{nothing}}]', {}, '[]'],
  ['a missing nested field', '[{{a.b.c}}]', { a: 1 }, '[]'],
  ['fallback of a missing field', '{{name ?? "default"}}', {}, 'default'],
  ['fallback without quotes', '{{name ?? Guest}}', {}, 'Guest'],
  ['fallback in single quotes', "{{firstName ?? 'there'}}", {}, 'there'],
  ['fallback without blanks around the mark', '{{name??"x"}}', {}, 'x'],
  ['fallback of null', '{{name ?? "x"}}', { name: null }, 'x'],
  ['no fallback for the empty string', '[{{name ?? "x"}}]', { name: '' }, '[]'],
  ['no fallback for zero', '{{n ?? 5}}', { n: 0 }, '0'],
  ['no fallback for false', '{{b ?? yes}}', { b: false }, 'false'],
  ['a present value ignores the fallback', '{{name ?? Guest}}', { name: 'Ada' }, 'Ada'],
  ['the fallback is never a variable', '{{a ?? b}}', { b: 'no' }, 'b'],
  ['the first fallback wins', '{{a ?? b ?? c}}', {}, 'b'],
  ['a fallback of several words', '{{title ?? Dear customer}}', {}, 'Dear customer'],
  ['the mark inside quotes', '{{name ?? "a ?? b"}}', {}, 'a ?? b'],
  ['an apostrophe in a bare fallback', "{{name ?? it's you}}!", {}, 'it&#39;s you!'],
  ['curly quotes around a fallback', '{{name ?? “you”}}', {}, 'you'],
  ['an empty fallback', '[{{name ?? ""}}]', {}, '[]'],
  ['a fallback with a filter behind it', '{{name ?? "guest" | upcase}}', {}, 'GUEST'],
  ['a backslash in a fallback', String.raw`{{path ?? "C:\temp"}}`, {}, String.raw`C:\temp`],
  ['a fallback of a nested field', '{{profile.tier ?? none}}', {}, 'none'],
  ['the mark inside a tag', '{% assign n = name ?? "x" %}{{n}}', {}, 'x'],
  ['a name with a space', '{{first name}}', { 'first name': 'Ada' }, 'Ada'],
  ['a nested name with a space', '{{profile.first name}}', { profile: { 'first name': 'Ada' } }, 'Ada'],
  ['a first part with a space', '{{my profile.name}}', { 'my profile': { name: 'Ada' } }, 'Ada'],
  ['a spaced name with a filter', '{{ first name | upcase }}', { 'first name': 'Ada' }, 'ADA'],
  ['a spaced name with a fallback', '{{ first name ?? you }}', {}, 'you'],
  ['brackets', '{{data["first name"] | capitalize}}', { data: { 'first name': 'ada' } }, 'Ada'],
  ['a name that reads like an operator', '{{terms and conditions}}', { 'terms and conditions': 'T' }, 'T'],
  ['a name beyond ASCII', '{{prénom}} {{名}}', { prénom: 'Zoé', 名: '太' }, 'Zoé 太'],
  ['a hyphenated name', '{{first-name}}', { 'first-name': 'Ada' }, 'Ada'],
  ['a list', '{{items}}', { items: ['one', 'two'] }, '<li>one</li>\n<li>two</li>'],
  ['an empty list', '[{{items}}]', { items: [] }, '[]'],
  ['an item of a list', '{{items.0}}', { items: ['one'] }, 'one'],
  ['an object', '{{o}}', { o: { a: 1 } }, '[object Object]'],
  ['zero and false', '{{z}} {{f}}', { z: 0, f: false }, '0 false'],
  ['empty placeholders', '[{{}}][{{ }}]', {}, '[][]'],
  ['a placeholder over several lines', '{{\n  name\n}}', { name: 'Ada' }, 'Ada'],
  ['CSS that looks like a placeholder', '<style>a{{color:red}}</style>', {}, '<style>a</style>'],
  ['single braces', 'a{color:red} {x}', { x: 1 }, 'a{color:red} {x}'],
  ['triple braces', '{{{name}}}', { name: 'Ada' }, '{Ada}'],
  ['if, elsif and else', '{% if a %}A{% elsif b %}B{% else %}C{% endif %}', { b: 1 }, 'B'],
  ['the empty string is false', '{% if a %}A{% else %}C{% endif %}', { a: '' }, 'C'],
  ['zero is false', '{% if a %}A{% else %}C{% endif %}', { a: 0 }, 'C'],
  ['case', '{% case p %}{% when "x" %}X{% else %}-{% endcase %}', { p: 'x' }, 'X'],
  ['and, or', '{% if a and b or c %}y{% endif %}', { a: 1, b: 1 }, 'y'],
  ['unless', '{% unless a %}n{% endunless %}', {}, 'n'],
  [
    'a loop',
    '{% for i in xs %}{{forloop.index}}{{i.n}} {% endfor %}',
    { xs: [{ n: 'a' }, { n: 'b' }] },
    '1a 2b ',
  ],
  ['a loop over nothing', '[{% for i in xs %}x{% endfor %}]', {}, '[]'],
  ['filters', '{{ n | times: 3 | round }} {{ xs | join: "-" }}', { n: 1.4, xs: [1, 2] }, '4 1-2'],
  ['the default filter', '{{ a | default: "x" }}', {}, 'x'],
  ['a date in UTC', '{{ d | date: "%Y-%m-%d %H:%M" }}', { d: '2026-01-01T23:30:00Z' }, '2026-01-01 23:30'],
  ['an unknown filter is skipped', '{{ a | sparkle }}', { a: 'x' }, 'x'],
  ['assign and capture', '{% assign a = 1 %}{% capture b %}<{{a}}>{% endcapture %}{{b}}', {}, '<1>'],
  [
    'comment and raw',
    '{% comment %}{{a}} {{ x{% endcomment %}{% raw %}{{a}} {{ b {% x %}{% endraw %}',
    { a: 1 },
    '{{a}} {{ b {% x %}',
  ],
  ['white space control', 'a {{- b -}} c {%- if true -%} d {%- endif -%}', { b: 'B' }, 'aBcd'],
  ['entities inside a tag', '{% if n &gt; 5 %}big{% endif %}', { n: 6 }, 'big'],
  ['entities inside an output', '{{ name&nbsp;??&nbsp;&quot;you&quot; }}', {}, 'you'],
  ['entities outside', 'Tom &amp; Jerry {{a}}', { a: '&lt;' }, 'Tom &amp; Jerry &amp;lt;'],
  ['an unclosed output', '{{name}} and {{ unclosed', { name: 'Ada' }, 'Ada and {{ unclosed'],
  ['an output opened twice', '{{ a {{name}}', { name: 'Ada' }, '{{ a Ada'],
  ['an unclosed tag', '{{name}} {% if x', { name: 'Ada' }, 'Ada {% if x'],
  ['an open block', '{{name}} {% if x %} in docs', { name: 'Ada' }, 'Ada {% if x %} in docs'],
  ['an output behind an unclosed tag', '{% if {{name}}', { name: 'Ada' }, '{% if Ada'],
  ['braces inside quotes', '{{ "}}" }}{{ \'{{\' }}', {}, '}}{{'],
  ['include stays literal', '{% include "/etc/passwd" %}', {}, '{% include "/etc/passwd" %}'],
  ['render stays literal', '{% render "/etc/passwd" %}', {}, '{% render "/etc/passwd" %}'],
  ['layout stays literal', '{% layout "/etc/passwd" %}x', {}, '{% layout "/etc/passwd" %}x'],
  ['prototype members', '[{{constructor}}{{__proto__}}{{a.constructor.name}}{{toString}}]', { a: {} }, '[]'],
  ['prototype names as filters', '{{ a | constructor | __proto__ | valueOf }}', { a: 'x' }, 'x'],
  ['values are never templates', '{{a}}', { a: '{{b}}{% if %}', b: 'no' }, '{{b}}{% if %}'],
  [
    'a break in a table',
    '{% tablerow x in xs cols: 2 %}{{ x }}{% if x == 3 %}{% break %}{% endif %}{% endtablerow %}.',
    { xs: [1, 2, 3, 4, 5] },
    '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr><tr class="row2"><td class="col1">3</td></tr>.',
  ],
  [
    'continue in a table',
    '{% tablerow x in xs %}{% continue %}{{ x }}{% endtablerow %}.',
    { xs: [1, 2] },
    '<tr class="row1"><td class="col1"></td><td class="col2"></td></tr>.',
  ],
  [
    'a length that is a text',
    '{{ name | slice: 3, n }}{{ name | slice: 0, "2" }}',
    { name: 'hello', n: '2' },
    'lohe',
  ],
  ['a nil right of a list', '{{ xs.last }}', { xs: [1, 2] }, '2'],
]

describe('rendering', () => {
  test.each(rendered)('%s', (_name, source, scope, expected) => {
    expect(compileTemplate(source).render(scope)).toBe(expected)
  })

  test('values reach a subject as one line', () => {
    const subject = compileTemplate('Hello {{name}}, {{items}}', 'line')
    expect(subject.render({ name: 'A\r\nBcc: b@x.y', items: ['a', 'b'] })).toBe('Hello A Bcc: b@x.y, a, b')
    expect(compileTemplate('a\nb', 'line').render({})).toBe('a b')
    expect(compileTemplate('{% if %}{{n}}', 'line').render({ n: 'x\ny' })).toBe('{% if %}x y')
  })

  test('plain text shows lists as lines, and drops markup of values only where they are inserted as HTML', () => {
    const text = compileTemplate('1 < 2 {{items}}\n{{bio}}\n{{bio | raw}}', 'text')
    expect(text.render({ items: ['a', 'b'], bio: '<b>x</b> < y &amp; z<br/>' })).toBe(
      '1 < 2 - a\n- b\n<b>x</b> < y &amp; z<br/>\nx < y & z',
    )
  })
})

const faults: Array<[name: string, source: string, line: number, column: number, reason: RegExp]> = [
  ['an unclosed block', 'a\n{% if x %}b', 2, 1, /not closed/],
  ['an unclosed tag', 'a\n b {% if x', 2, 4, /not closed/],
  ['an unknown tag', '<p>\n<b>{% foo %}', 2, 4, /tag "foo" not found/],
  ['include', '{% include "x" %}', 1, 1, /not found/],
  ['render', '{% render "x" %}', 1, 1, /not found/],
  ['layout', '{% layout "x" %}', 1, 1, /not found/],
  ['an unknown filter', 'Hi\n\n {{ a | sparkle }}', 3, 2, /undefined filter: sparkle/],
  ['a fault behind rewritten outputs', '{{first name}}{{}}{{ a ?? b }}\n{% nope %}', 2, 1, /nope/],
  ['a filter without a colon', '{{ a | default "x" }}', 1, 1, /":"/],
  ...[
    '{% if plan equals "pro" %}',
    '{% if plan is "pro" %}',
    '{% if plan startswith "p" %}',
    '{% if "pro" in plans %}',
    '{% if plan == "pro" AND x %}',
    '{% if a and plan is &quot;pro&quot; %}',
    '{% if a %}{% elsif plan is "pro" %}',
    '{% if a not b %}',
    '{% if first name == "Ada" %}',
    '{%- if plan is "pro" -%}',
  ].map((tags): (typeof faults)[number] => [
    tags,
    `a\n${tags}x{% endif %}`,
    2,
    tags.lastIndexOf('{%') + 1,
    /is not an operator: use ==, !=/,
  ]),
  ...['{% if a == %}', '{% if == a %}', '{% if a and or b %}', '{% if a <> b %}', '{% if not %}'].map(
    (tag): (typeof faults)[number] => [tag, `${tag}x{% endif %}`, 1, 1, /a value is missing|invalid value/],
  ),
  ['a left-over in a condition', '{% if a, b %}x{% endif %}', 1, 1, /", b" can't be read here/],
  ['a left-over behind a filter', '{% if a | size ) %}x{% endif %}', 1, 1, /can't be read here/],
  ['unless', '{% unless plan is "pro" %}x{% endunless %}', 1, 1, /"is" is not an operator/],
  ['case', '{% case plan is "pro" %}{% when 1 %}x{% endcase %}', 1, 1, /"is" is not an operator/],
  ['when', '{% case plan %}{% when "a" is "b" %}x{% endcase %}', 1, 16, /"is .{3}" can't be read here/],
  [
    'else with a condition',
    '{% unless a %}x{% else if b %}y{% endunless %}',
    1,
    16,
    /"if b" can't be read here/,
  ],
  ['the liquid tag', '{% liquid\n if plan is "pro"\n echo 1\n endif %}', 1, 1, /"is" is not an operator/],
  ...(
    [
      ['{{ a | append }}', /filter "append" needs 1 argument: write append: text/],
      [
        '{{ a | append: "b", "c" }}',
        /filter "append" has 2 arguments, which is too many: write append: text/,
      ],
      ['{{ a | upcase: "b" }}', /filter "upcase" has 1 argument, which is too many: it takes no arguments/],
      ['{{ a | replace }}', /needs 1 argument: write replace: search, \[replacement\]/],
      ['{{ a | default: "b", allow_falsy: true }}', /filter "default" has no argument "allow_falsy"/],
      ['{% assign b = a | split %}', /filter "split" needs 1 argument/],
      ['{% for b in c %}{% if b %}{{ b | size | times }}{% endif %}{% endfor %}', /filter "times" needs 1/],
      ['{% if a | size: 1 %}x{% endif %}', /filter "size" has 1 argument/],
      ['{{ a[b] | map }}', /filter "map" needs 1 argument/],
      ['{% assign b = 1 - 2 %}', /"-" is not an operator/],
      ['{% assign b = %}', /a value is missing|invalid value/],
      ['{% assign b = a b %}', /"b" is not an operator/],
      ['{% capture b c %}x{% endcapture %}', /"c" can't be read here/],
      ['{% echo a, b %}', /", b" can't be read here/],
      ['{% cycle "a", "b" "c" %}', /".c." can't be read here/],
      ['{% increment a by 2 %}', /"by 2" can't be read here/],
      ['{% for a in b step: 2 %}{% endfor %}', /"for" has no parameter "step": use limit, offset, reversed/],
      ['{% for a in b limit %}{% endfor %}', /"limit" needs a value/],
      ['{% for a in b limit=2 %}{% endfor %}', /"=2" can't be read here|needs a value/],
      [
        '{% tablerow a in b columns: 2 %}{% endtablerow %}',
        /no parameter "columns": use cols, limit, offset/,
      ],
      ['{% for a in b %}{% break if a %}{% endfor %}', /"if a" can't be read here/],
      ['{% if plan == "pro %}x{% endif %}', /the quote of "pro is not closed/],
      ['{% assign unsubscribeUrl = "x" %}', /"unsubscribeUrl" is set by Waxwing: choose another name/],
      ['{% capture manageUrl %}x{% endcapture %}', /"manageUrl" is set by Waxwing/],
      ['{% for svc_tracking in a %}{% endfor %}', /"svc_tracking" is set by Waxwing/],
      ['{% liquid\n for a in b step 2\n endfor %}', /no parameter "step"/],
    ] as const
  ).map(([tag, reason]): (typeof faults)[number] => [
    tag,
    `a\n${tag}`,
    2,
    (tag.search(/\{\{ b|\{% break|$/) % tag.length) + 1,
    reason,
  ]),
  ['a fault behind entities', '{% if a &gt; 1 %}x{% endif %}\n{% oops %}', 2, 1, /oops/],
]

test('every filter says which arguments it takes', () => {
  const silent = Object.keys(strictEngine.filters).filter(
    name =>
      !checkSyntax(`{{ a | ${name}: 1, 2, 3, 4 }}`, 'body')?.reason.startsWith(`filter "${name}" has 4 `),
  )
  expect(silent).toEqual([])
})

test('wrong arguments of a filter are no fault of a send', () => {
  expect(checkSyntax('{{ a | upcase: 1 }}', 'body', false)).toBeUndefined()
})

describe('the check at write time', () => {
  test.each(faults)('%s is reported with its place', (_name, source, line, column, reason) => {
    const fault = checkSyntax(source, 'body')
    expect(fault).toMatchObject({ field: 'body', line, column })
    expect(fault!.reason).toMatch(reason)
    expect(fault!.message).toStartWith(`Invalid template syntax in body (line ${line}, column ${column}): `)
  })

  test.each([
    '',
    'plain',
    '{{}}',
    '{{name ?? Guest}}',
    '{{first name}}',
    'a{{color:red}}',
    '{% raw %}{{ {% endraw %}',
    '{% for i in (1..3) %}{{i | times: 2}}{% endfor %}',
    '{{ data["first name"] | capitalize }}',
    '{{name ?? "a ?? b"}}',
    '{% if a and b or not c and d contains "x" %}x{% elsif (1..3) contains e %}y{% else %}z{% endif %}',
    '{% if a.size > 3 and b["c d"] != nil | default: true %}x{% endif %}',
    '{% if a ?? "x" == "x" %}x{% endif %}',
    '{% case a %}{% when "or" or "b", c.d %}x{% when 1 %}y{% else %}z{% endcase %}',
    '{% comment %}{% if plan is "pro" %}{% endcomment %}{% raw %}{% if a b %}{% endraw %}',
    '{%- if a -%}x{%- else -%}y{%- endif -%}',
    '{% if plan &gt; 3 %}x{% endif %}',
    '{% liquid\n comment\n if a b\n endcomment\n echo 1 %}',
    '{% for a in data["my list"] reversed limit: data.n, offset: 3 %}{% endfor %}',
    '{% for a in b offset:continue %}{% continue %}{% endfor %}',
    '{% tablerow a in b cols:2 limit:1 %}{{ tablerowloop.col }}{% endtablerow %}',
    '{% cycle "a", b | upcase, "c" %}{% cycle "g": 1, 2 %}{% cycle g: 1 %}',
    '{% assign a = b ?? "c" %}{% assign email = email | downcase %}{% capture "my name" %}{% endcapture %}',
    '{% echo %}{% echo a | default: "it\'s", allow_false: true %}{% increment a %}{% decrement a %}',
    '{{ a | replace: "b" }}{{ a | slice: 1, 2 | date: "%F", "Europe/Berlin" }}{{ a | strip: "." | round }}',
    '{% # it\'s a comment %}{% if a %}{% # "so is this %}{% endif %}',
  ])('%p is accepted', source => expect(checkSyntax(source, 'body')).toBeUndefined())

  test('a source over the limit is refused, and sent as plain text', () => {
    const source = `${'x'.repeat(2_000_000)}{{name}}`
    expect(checkSyntax(source, 'body')).toMatchObject({
      line: 1,
      column: 1,
      reason: expect.stringContaining('longer'),
    })
    expect(compileTemplate(source).render({ name: 'Ada' })).toBe(`${'x'.repeat(2_000_000)}Ada`)
  })
})

test('too many placeholders are refused at write time, and filled at a send', () => {
  const source = '{{a}}'.repeat(20_001)
  expect(checkSyntax(source, 'body')!.reason).toBe('more than 20000 placeholders and tags')
  expect(checkSyntax(source.slice(5), 'body')).toBeUndefined()
  expect(compileTemplate(source).render({ a: 'x' })).toBe('x'.repeat(20_001))
})

describe('what would take too much memory to parse is refused at write time, and filled at a send', () => {
  test.each([
    ['a cycle', `{% cycle ${'a, '.repeat(100_000)} b %}{{x}}`],
    ['a case', `{% case a %}{% when ${'1, '.repeat(100_000)}2 %}{% endcase %}{{x}}`],
    ['conditions', `{% if a${' or a'.repeat(50_000)} %}{% endif %}{{x}}`],
    ['a chain of filters', `{% assign a = b${' | append: "c"'.repeat(60_000)} %}{{x}}`],
    ['a path', `{{ a${'.a'.repeat(100_000)} }}{{x}}`],
    ['texts in quotes', `{% cycle ${'"a b c",'.repeat(100_001)} b %}{{x}}`],
    ['lines', `{% liquid\n${'echo a\n'.repeat(60_000)}%}{{x}}`],
    ['many tags of many values', `${`{% cycle ${'a, '.repeat(50)} b %}`.repeat(2_000)}{{x}}`],
  ])('%s of more than 100,000 values', (_name, source) => {
    expect(checkSyntax(source, 'body')!.reason).toBe(
      'more than 100000 names and values in placeholders and tags',
    )
    const template = compileTemplate(source)
    expect(template.isPlain).toBe(true)
    expect(template.render({ x: 'Ada' }).endsWith('Ada')).toBe(true)
  })

  test('a long text in quotes is one value, and text outside tags is none', () => {
    const words = 'word '.repeat(100_001)
    expect(
      checkSyntax(`{% assign a = "${words}" %}{% raw %}${words}{% endraw %}${words}`, 'body'),
    ).toBeUndefined()
  })
})

describe('what takes long to read is left to a thread', () => {
  test.each([
    ['many outputs', '{{a}}'.repeat(501)],
    ['a long output', `{{ a${'.a'.repeat(10_000)} }}`],
    ['a long tag', `{% cycle ${'a, '.repeat(10_000)} b %}`],
    ['more than is ever parsed', `{% cycle ${'a, '.repeat(600_000)} b %}`],
    ['what only seems to end in a text', `{{ "}}"${' | upcase'.repeat(10_000)} }}`],
    ['outputs that are never closed', '{{a '.repeat(100_000)],
  ])('%s', (_name, source) => {
    expect(isHeavySource(source)).toBe(true)
  })

  test.each([
    ['a letter', `${'<p>Hello {{name}}, {% if vip %}welcome back{% endif %}</p>'.repeat(20)}`],
    ['text and styles around an output', `${'p { color: red }\n'.repeat(50_000)}{{name}}`],
    ['raw text', `{% raw %}${'{ a } '.repeat(10_000)}{% endraw %}{{name}}`],
    ['what is refused for its length alone', '{{a}}'.repeat(500_000)],
  ])('%s is not', (_name, source) => {
    expect(isHeavySource(source)).toBe(false)
  })
})

describe('names that a template reads', () => {
  test('come from outputs and tags, without what it assigns', () => {
    const source =
      '{{first name}} {{a.b}} {% assign x = y %}{{x}}{% for i in xs %}{{i.n}}{% endfor %}{{q ?? z}}'
    expect(variablesOf(source).sort()).toEqual(['a', 'first name', 'q', 'xs', 'y'])
  })

  test('leave out the names of blocks and assignments, and what belongs to a literal', () => {
    const cases: Array<[string, string[]]> = [
      ['{% for i in (a..b) %}{{forloop.index}}{% else %}{{c}}{% endfor %}{{i}}', ['a', 'b', 'c', 'i']],
      ['{{x}}{% assign x = 1 %}{{x}}{% capture y %}{{z}}{% endcapture %}{{y}}', ['x', 'z']],
      [
        '{% if a == b and c %}{% elsif d %}{% endif %}{% unless e %}{% endunless %}',
        ['a', 'b', 'c', 'd', 'e'],
      ],
      ['{% case a %}{% when b, 1 %}{{c}}{% endcase %}{% cycle d: e, "f" %}', ['a', 'b', 'c', 'd', 'e']],
      ['{% tablerow i in a cols: b limit: c %}{{i.x[d.e]}}{% endtablerow %}', ['a', 'b', 'c', 'd']],
      ['{{ a | append: b | slice: c, 2 | default: d, allow_false: e }}', ['a', 'b', 'c', 'd', 'e']],
      ['{% liquid\n assign x = a\n echo x\n echo b %}{% increment n %}{{n}}', ['a', 'b']],
      ['{{ ["first name"].x }}{{ data["a b"] }}{{ "text".size }}{{ 5 }}{{ true }}', ['first name', 'data']],
    ]
    for (const [source, names] of cases) expect(variablesOf(source).sort()).toEqual(names.sort())
  })

  // Minutes where every name looks for its line.
  test.each<[name: string, source: (size: number) => string, size: number]>([
    ['filters', size => '{{ x | replace: "a", "b" }}'.repeat(size), 20_000],
    ['a cycle', size => `{% cycle ${'a, '.repeat(size)} b %}`, 100_000],
    ['lines', size => `{% liquid\n${'assign a = b\n'.repeat(size)}%}`, 20_000],
  ])('are found at the end of many %s as fast as at the start', (_name, source, size) => {
    expectLinear(count => variablesOf(source(count)), size)
  })

  test('are found in a broken template too', () => {
    expect(variablesOf('{{a.b}} {% if %} {{first name ?? x}}')).toEqual(['a', 'first name'])
  })
})

const atOnce = <T>(work: () => T): T => work()

const bombs: Array<[string, string]> = [
  ['a loop of a hundred million', '{{a}}{% for i in (1..100000000) %}x{% endfor %}'],
  [
    'nested loops',
    '{{a}}{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}',
  ],
  ['a loop of long text', `{{a}}{% for i in (1..90000) %}${'long '.repeat(4000)}{% endfor %}`],
  [
    'a capture that doubles',
    '{{a}}{% assign x = "xxxxxxxxxx" %}{% for i in (1..60) %}{% capture x %}{{x}}{{x}}{% endcapture %}{% endfor %}{{x}}',
  ],
  [
    'an append that doubles',
    '{{a}}{% assign x = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{x}}',
  ],
  ['a long list', '{{a}}{% assign x = (1..4900000) | sort %}{{x}}'],
  [
    'an expression a million times',
    '{{a}}{% assign x = (1..4900000) | where_exp: "i", "i > 3" %}{{ x | size }}',
  ],
]

describe('hostile templates', () => {
  test.each(bombs)('%s is thrown out at once, and stopped where it has its time', (_name, source) => {
    for (const [run, maxMs] of [
      [atOnce, 500],
      [withTime, 5_000],
    ] as const) {
      const before = process.threadCpuUsage()
      expect(() => run(() => compileTemplate(source).render({ a: 'Ada' }))).toThrow(TooCostly)
      // Of the processor: on a machine that does much else the same work may take any time.
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1_000).toBeLessThan(maxMs)
    }
  })

  // Each of these is cheap: many items, and a long path. Only the one times the other is not, and nothing of it may begin.
  test.each([
    'find: path, "z"',
    'find_index: path, "z"',
    'where: path, "z"',
    'reject: path, "z"',
    'has: path, "z"',
    'group_by: path',
    'sum: path',
    'map: path',
    'sort: path',
    'sort_natural: path',
  ])('%s costs its items times its path', filter => {
    const template = compileTemplate(`{% assign x = items | ${filter} %}{{ x | size }}`)
    const render = (count: number, path: string) => () =>
      template.render({ path, items: Array.from({ length: count }, (_, a) => ({ a })) })
    const long = `${'a.'.repeat(16_000)}a`
    expect(() => withTime(render(400, 'a'))).not.toThrow()
    expect(() => withTime(render(1, long))).not.toThrow()
    expect(render(400, long)).toThrow(TooCostly)
    expect(() => withTime(render(400, long))).toThrow(TooCostly)
  })

  test('one that takes too long for some recipients is rendered for the others', () => {
    const template = compileTemplate(
      '{% for i in (1..n) %}{% for j in (1..n) %}{% for k in (1..n) %}{% endfor %}{% endfor %}{% endfor %}{{ a | upcase }}',
    )
    const render = (n: number): string => withTime(() => template.render({ a: 'Ada', n }))
    expect(render(1)).toBe('ADA')
    expect(() => render(9_999)).toThrow(TooCostly)
    expect(render(1)).toBe('ADA')
  })

  test('plain substitution stops writing values at its bound', () => {
    const source = `{% if %}${'{{a}}'.repeat(2_000)}end`
    const text = withTime(() => compileTemplate(source).render({ a: 'x'.repeat(64_000) }))
    expect(text.length).toBeLessThan(10_100_000)
    expect(text).toEndWith('end')
  })

  test.each([
    '{{',
    '{{ "',
    "{{ '}}' \"",
    '{% ',
    '{%raw%}',
    '{{a}}{%',
    "{{ ' }}\n",
    '{{ "{{" ',
    '&amp;',
    '{{&amp;',
    '{{ a ?? ',
    '{{ a | ',
    '}}{{',
    "'}}'",
    '{{ a b ',
    '{{{',
  ])('%p repeated to the limit is scanned in linear time', unit => {
    expectLinear(times => scanTemplate(unit.repeat(times)), Math.floor(600_000 / unit.length))
  })

  test.each([
    ['escaped quotes', String.raw`\'`],
    ['escaped quotes of both kinds', String.raw`\'\"`],
    ['bars between escaped quotes', String.raw`\'|`],
  ])('%s that never close are read in linear time', (_name, part) => {
    expectLinear(count => checkSyntax(`{{ a ${part.repeat(count)} }}`, 'body'), 10_000)
  })

  test('a raw block of open tags is scanned in linear time', () => {
    expectLinear(times => scanTemplate(`{% raw %}${'{%'.repeat(times)}%}`), 300_000)
  })

  test('a value of open angle brackets is printed in linear time', () => {
    expectLinear(
      times => withTime(() => compileTemplate('{{a}}', 'text').render({ a: `${'< '.repeat(times)}>` })),
      300_000,
    )
  })

  test('the scanner loses no character and rendering never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      '"',
      "'",
      ' ',
      'a',
      '.',
      '??',
      '|',
      'raw',
      'endraw',
      'if',
      'endif',
      '&quot;',
      '-',
      '\n',
      '[',
      ']',
      '{',
      '}',
      '\\',
      'é',
      '0',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }).map(parts => parts.join('')),
        source => {
          expect(
            scanTemplate(source)
              .map(({ start, end }) => source.slice(start, end))
              .join(''),
          ).toBe(source)
          for (const mode of ['html', 'text', 'line'] as const)
            expect(typeof withTime(() => compileTemplate(source, mode).render({ a: 'A', x: null }))).toBe(
              'string',
            )
          checkSyntax(source, 'body')
          variablesOf(source)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
