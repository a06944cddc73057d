// Values are text: in HTML they are escaped, wherever and however they are printed, and nowhere else.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { withTime } from '../../../src/liquid/costly'
import type { RenderMode } from '../../../src/liquid/output'
import { compileTemplate } from '../../../src/liquid/template'

const name = '<b title="x">A & \'B\'</b>'
const escaped = '&lt;b title=&quot;x&quot;&gt;A &amp; &#39;B&#39;&lt;/b&gt;'

test.each([
  ['alone', '{{ name }}', escaped],
  ['with a filter', '{{ name | append: "<" }}', `${escaped}&lt;`],
  ['as its fallback', '{{ nothing ?? "<i>" }}', '&lt;i&gt;'],
  ['by echo', '{% echo name %}', escaped],
  ['by the liquid tag', '{% liquid\n echo name %}', escaped],
  ['by cycle', '{% cycle name, "x" %}', escaped],
  ['in a list', '{{ names }}', `<li>${escaped}</li>\n<li>b</li>`],
  ['joined', '{{ names | join: " & " }}', `${escaped} &amp; b`],
  ['as text of the template', "{{ '<' }}", '&lt;'],
  ['by plain substitution', '{% if %}{{ name }}', `{% if %}${escaped}`],
  ['in white space control', ' {{- name -}} ', escaped],
  [
    'in a table',
    '{% tablerow n in names limit: 1 %}{{ n }}{% endtablerow %}',
    `<tr class="row1"><td class="col1">${escaped}</td></tr>`,
  ],
])('a value is printed as text: %s', (_where, source, expected) => {
  expect(compileTemplate(source).render({ name, names: [name, 'b'] })).toBe(expected)
})

test.each([
  ['raw', '{{ name | raw }}', name],
  ['raw behind others', '{{ name | append: "<br>" | raw }}', `${name}<br>`],
  ['raw of a list', '{{ names | raw }}', `<li>${name}</li>\n<li>b</li>`],
  ['raw in plain substitution', '{% if %}{{ name | raw }}', `{% if %}${name}`],
  ['raw by echo', '{% echo name | raw %}', name],
])('HTML is inserted by %s', (_how, source, expected) => {
  expect(compileTemplate(source).render({ name, names: [name, 'b'] })).toBe(expected)
})

test.each([
  ['escape', '{{ "<&" | escape }}', '&lt;&amp;'],
  [
    'escape, and kept',
    '{% assign a = "<" | escape %}{{ a }}{{ a | default: "x" }}{{ a ?? "x" }}',
    '&lt;&lt;&lt;',
  ],
  ['escape_once', '{{ once | escape_once }}', '&lt;&lt;'],
  ['newline_to_br', '{{ lines | newline_to_br }}', 'a&lt;<br />\nb'],
  ['newline_to_br of a list', '{{ names | newline_to_br }}', '<li>a&lt;</li><br />\n<li>b</li>'],
  ['newline_to_br behind escape', '{{ lines | escape | newline_to_br }}', 'a&lt;<br />\nb'],
  ['capture', '{% capture a %}<i>{{ lines }}</i>{% endcapture %}{{ a }}', '<i>a&lt;\nb</i>'],
  [
    'capture, with a line break',
    '{% capture a %}{{ lines }}{% endcapture %}{{ a | newline_to_br }}',
    'a&lt;<br />\nb',
  ],
])('what is HTML already is not escaped again: %s', (_what, source, expected) => {
  expect(compileTemplate(source).render({ lines: 'a<\nb', once: '&lt;<', names: ['a<', 'b'] })).toBe(expected)
})

test('what was captured is still read as text by conditions and filters', () => {
  const condition = (asked: string): string =>
    compileTemplate(`{% capture a %}ab{% endcapture %}{% if ${asked} %}y{% else %}n{% endif %}`).render({})
  for (const asked of ['a == "ab"', 'a contains "b"', 'a.size == 2', 'a != blank', 'a and true', 'a > "aa"'])
    expect([asked, condition(asked)]).toEqual([asked, 'y'])
  expect(condition('a == empty')).toBe('n')
  const loops =
    '{% capture a %}x,y{% endcapture %}{% assign b = a | split: "," %}{{ b.size }}{{ a | upcase }}'
  expect(compileTemplate(loops).render({})).toBe('2X,Y')
})

test.each<[RenderMode, string, string]>([
  ['text', '{{ name }}', name],
  ['text', '{{ name | escape }}', name],
  ['text', '{{ name | escape_once | newline_to_br }}', name],
  ['text', '{{ name | raw }}', "A & 'B'"],
  ['line', '{{ name }}', name],
  ['data', '{{ name }}', name],
  ['data', '{{ names }}', `${name}, b`],
])('%s: %s is not escaped', (mode, source, expected) => {
  expect(compileTemplate(source, mode).render({ name, names: [name, 'b'] })).toBe(expected)
})

/** The elements and attributes of a document, as a parser sees them. */
function structureOf(html: string): string[] {
  const seen: string[] = []
  new HTMLRewriter()
    .on('*', {
      element(element) {
        seen.push(`${element.tagName} ${[...element.attributes].map(([attribute]) => attribute).join()}`)
      },
      comments: () => void seen.push('comment'),
    })
    .transform(html)
  return seen
}

const outputs = [
  '{{ a }}',
  '{{a ?? "x"}}',
  '{{ a | append: a }}',
  '{{ a | escape }}',
  '{{ a | escape_once }}',
  '{{ a | newline_to_br }}',
  '{{ a | default: "x" | prepend: a }}',
  '{{ l }}',
  '{{ l | join: a }}',
  '{% for i in l %}{{ i }}{% endfor %}',
  '{% echo a %}',
  '{% cycle a, b %}',
  '{% capture c %}<i>{{ a }}</i>{% endcapture %}{{ c }}{{ c | upcase }}',
  '{{ a | unescape }}',
  '{{ a | url_encode }}',
  '{{ a | json }}',
]
/** `newline_to_br`, lists and captures make elements, which stand between elements only. */
const inAttribute = outputs.filter(output => !/newline_to_br|\{\{ l \}\}|capture/.test(output))

const hostileParts = '< > " \' & &lt; %3C <b/onclick=x> --> </p> <!-- {{ q'.split(' ')
const hostile = fc
  .array(fc.constantFrom(...hostileParts, ' x=y ', '\n'), { maxLength: 6 })
  .map(parts => parts.join(''))
const harmless = (text: string): string => text.replace(/[^\n]/g, 'q')

test('no value can add an element or an attribute', () => {
  const part = fc.oneof(
    fc.constantFrom(...outputs).map(output => `<p>${output}</p>`),
    fc
      .constantFrom(...inAttribute)
      .map(output => `<a href="https://x.example/?q=${output}" title='${output}'>x</a>`),
  )
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      hostile,
      hostile,
      fc.array(hostile, { maxLength: 3 }),
      (parts, a, b, l) => {
        const template = compileTemplate(parts.join('\n'))
        expect(template.isPlain).toBe(false)
        const plain = { a: harmless(a), b: harmless(b), l: l.map(harmless) }
        // However busy the machine is: a rendering that was held up would go to a thread.
        const [hostile, expected] = [{ a, b, l }, plain].map(values =>
          withTime(() => structureOf(template.render(values))),
        )
        expect(hostile).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})
