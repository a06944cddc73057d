// Templates written to hold up whoever renders them: each with the data that a request may bring. None of them may keep the process from
// answering others, and each is answered within its bound.

export interface HostileTemplate {
  name: string
  body: string
  data?: Record<string, unknown>
}

const dots = 'a.'.repeat(8_000)
const million = '(1..999999)'
const list = `{% assign x = ${million} | map: "a" %}`
const letters = '{% assign t = "abcdefgh" %}{% for i in (1..17) %}{% assign t = t | append: t %}{% endfor %}'
const pairs =
  '{% assign t = "ab" %}{% for i in (1..19) %}{% assign t = t | append: t %}{% endfor %}{% assign p = "ab" %}{% for i in (1..18) %}{% assign p = p | append: p %}{% endfor %}{% assign p = p | append: "ba" %}'
/** Lists within lists, each of them twice in the next: two to the power of sixty when they are written out. */
const doubled =
  '{% assign x = "a,b" | split: "," %}{% for i in (1..60) %}{% assign x = "" | split: "," | push: x | push: x %}{% endfor %}'
const deep =
  '{% assign x = "a" | split: "," %}{% for i in (1..20000) %}{% assign x = "" | split: "," | push: x %}{% endfor %}'
const items = Array.from({ length: 4_000 }, (_, i) => ({ a: i }))
const loops = (depth: number, inside: string): string =>
  Array.from({ length: depth }, (_, i) => `{% for i${i} in (1..9999) %}`).join('') +
  inside +
  '{% endfor %}'.repeat(depth)

const withPath = (filter: string, rest = ''): HostileTemplate => ({
  name: `${filter} with a long path`,
  body: `{% assign x = ${million} %}{{ x | ${filter}: "${dots}a"${rest} }}`,
})

const withExpression = (filter: string): HostileTemplate => ({
  name: `${filter} of a million`,
  body: `{% assign x = ${million} %}{{ x | ${filter}: "i", "i > 3 and i < 9 or i == ${'1 or i == '.repeat(200)} 2" }}`,
})

export const hostileTemplates: HostileTemplate[] = [
  // Filters that follow a path for each item.
  withPath('has', ', "z"'),
  withPath('find', ', "z"'),
  withPath('find_index', ', "z"'),
  withPath('where', ', "z"'),
  withPath('reject', ', "z"'),
  withPath('group_by'),
  withPath('sum'),
  withPath('map'),
  withPath('sort'),
  withPath('sort_natural'),
  { name: 'has over the items of a request', body: `{{ items | has: "${dots}a", "z" }}`, data: { items } },
  { name: 'sum over the items of a request', body: `{{ items | sum: "${dots}a" }}`, data: { items } },
  {
    name: 'has, again and again',
    body: `{{ items | has: "${'a.'.repeat(300)}a", "z" }}`.repeat(15),
    data: { items },
  },
  {
    name: 'map in a loop',
    body: `{% for i in (1..9999) %}{% assign y = items | map: "a.a.a.a" %}{% endfor %}`,
    data: { items },
  },
  // Filters that evaluate an expression for each item.
  withExpression('where_exp'),
  withExpression('reject_exp'),
  withExpression('group_by_exp'),
  withExpression('has_exp'),
  withExpression('find_exp'),
  withExpression('find_index_exp'),
  {
    name: 'an expression that filters',
    body: `{% assign y = (1..3000) %}{{ y | where_exp: "i", "y | where_exp: 'j', 'j == i' " }}`,
  },
  // Lists.
  { name: 'a long list sorted', body: `{{ (1..4900000) | sort }}` },
  {
    name: 'a list sorted again and again',
    body: `{% for i in (1..9999) %}{% assign x = (1..9999) | sort %}{% endfor %}`,
  },
  {
    name: 'long texts sorted',
    body: `${letters}{% assign x = t | split: "a" %}{{ x | sort_natural | size }}`,
  },
  {
    name: 'a list turned round and round',
    body: `${list}{% for i in (1..9999) %}{% assign x = x | reverse %}{% endfor %}`,
  },
  {
    name: 'a list that doubles',
    body: `{% assign x = (1..10) %}{% for i in (1..60) %}{% assign x = x | concat: x %}{% endfor %}{{ x | size }}`,
  },
  {
    name: 'a list that grows by one',
    body: `{% assign x = (1..90000) %}{% for i in (1..9999) %}{% assign x = x | push: i %}{% endfor %}`,
  },
  {
    name: 'a list cut at its head',
    body: `{% assign x = (1..900000) %}{% for i in (1..9999) %}{% assign x = x | shift %}{% endfor %}`,
  },
  {
    name: 'a text cut into letters',
    body: `${letters}{% for i in (1..999) %}{% assign x = t | split: "" | uniq | join: t %}{% endfor %}`,
  },
  { name: 'samples', body: `{% for i in (1..9999) %}{{ (1..99999) | sample: 3 }}{% endfor %}` },
  {
    name: 'groups of groups',
    body: `{% assign x = (1..99999) | group_by: "a" %}{% for i in (1..999) %}{% assign x = x | group_by: "items" %}{% endfor %}{{ x | json }}`,
  },
  // Lists within lists.
  { name: 'doubled lists printed', body: `${doubled}{{ x }}` },
  { name: 'doubled lists joined', body: `${doubled}{{ x | join: "," }}` },
  { name: 'doubled lists as JSON', body: `${doubled}{{ x | json }}` },
  { name: 'doubled lists as a number', body: `${doubled}{{ x | plus: 1 }}` },
  {
    name: 'doubled lists compared',
    body: `${doubled}{% assign y = x %}{% if x == y %}a{% endif %}{% if x > y %}b{% endif %}`,
  },
  { name: 'doubled lists as a key', body: `${doubled}{{ data[x] }}` },
  { name: 'doubled lists as a limit', body: `${doubled}{% for i in (1..9) limit: x %}{% endfor %}` },
  { name: 'deep lists as indented JSON', body: `${deep}{{ x | json: 10 }}` },
  { name: 'deep lists inspected', body: `${deep}{{ x | inspect }}` },
  { name: 'deep lists printed', body: `${deep}{{ x }}{{ x | join }}` },
  // Texts.
  {
    name: 'an append that doubles',
    body: `{% assign x = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{x}}`,
  },
  {
    name: 'a capture that doubles',
    body: `{% assign x = "xxxxxxxxxx" %}{% for i in (1..60) %}{% capture x %}{{x}}{{x}}{% endcapture %}{% endfor %}{{x}}`,
  },
  {
    name: 'a replacement that grows',
    body: `{% assign x = "aaaaaaaaaa" %}{% for i in (1..60) %}{% assign x = x | replace: "a", x %}{% endfor %}{{x}}`,
  },
  {
    name: 'a replacement of nothing',
    body: `${letters}{% for i in (1..999) %}{% assign y = t | replace: "", "xxxxxxxxxx" %}{% endfor %}`,
  },
  { name: 'a search for what is almost there', body: `${pairs}{% if t contains p %}a{% endif %}` },
  { name: 'a cut at what is almost there', body: `${pairs}{{ t | split: p | size }}` },
  {
    name: 'a removal of what is almost there',
    body: `${pairs}{{ t | remove: p | size }}{{ t | remove_last: p | size }}`,
  },
  {
    name: 'a replacement of what is almost there',
    body: `${pairs}{{ t | replace: p, "x" | size }}{{ t | replace_first: p, "x" | size }}`,
  },
  {
    name: 'tags stripped',
    body: `{% assign t = "<script" %}{% for i in (1..19) %}{% assign t = t | append: t %}{% endfor %}{{ t | strip_html }}`,
  },
  {
    name: 'comments stripped',
    body: `{% assign t = "<!-- <style <" %}{% for i in (1..18) %}{% assign t = t | append: t %}{% endfor %}{{ t | strip_html }}`,
  },
  {
    name: 'slugs',
    body: `${letters}{% for i in (1..999) %}{% assign y = t | slugify: "latin" %}{% endfor %}`,
  },
  {
    name: 'addresses encoded',
    body: `{% assign t = "äöü" %}{% for i in (1..19) %}{% assign t = t | append: t %}{% endfor %}{% for i in (1..99) %}{% assign y = t | url_encode | url_encode %}{% endfor %}`,
  },
  {
    name: 'hashes',
    body: `${letters}{% for i in (1..9999) %}{% assign y = t | sha256 %}{{ t | hmac_sha256: t }}{% endfor %}`,
  },
  {
    name: 'words counted',
    body: `${letters}{% for i in (1..999) %}{{ t | number_of_words: "auto" }}{{ t | truncatewords: 3 }}{% endfor %}`,
  },
  { name: 'dates of a long format', body: `{{ "now" | date: "${'%x %Z %c '.repeat(1_200)}" }}` },
  {
    name: 'dates of a format that doubles',
    body: `{% assign f = "%c%Z%x%X" %}{% for i in (1..18) %}{% assign f = f | append: f %}{% endfor %}{{ "now" | date: f }}`,
  },
  { name: 'a date of a wide field', body: `{{ "now" | date: "%9999999Y%9999999N%8999999d" }}` },
  { name: 'a million dates', body: `{% for i in (1..999999) %}{{ i | date: "%A %B %Z" }}{% endfor %}` },
  // Loops.
  { name: 'a loop of a hundred million', body: `{% for i in (1..100000000) %}x{% endfor %}` },
  { name: 'nested loops', body: loops(3, '') },
  { name: 'deeply nested loops', body: loops(40, '{{ i0 }}') },
  { name: 'a table of everything', body: `{% tablerow i in (1..9999999) cols: 3 %}{{ i }}{% endtablerow %}` },
  { name: 'a loop of long text', body: `{% for i in (1..90000) %}${'long '.repeat(4_000)}{% endfor %}` },
  {
    name: 'a loop over a loop of assignments',
    body: loops(2, '{% assign a = a | plus: 1 %}{% increment b %}{% cycle 1, 2, 3 %}'),
  },
  {
    name: 'a range that is never counted',
    body: `{% for i in (9007199254740992..9007199254740994) %}{{ i }}{% endfor %}`,
  },
  {
    name: 'a range below zero that is never counted',
    body: `{{ (-9007199254740994..-9007199254740990) | size }}`,
  },
  {
    name: 'a range without end',
    body: `{% assign e = "1e400" | times: 1 %}{% for i in (1..e) %}x{% endfor %}`,
  },
  {
    name: 'ranges kept',
    body: Array.from({ length: 60 }, (_, i) => `{% assign x${i} = (1..900000) %}`).join(''),
  },
  // Sources that are long to read.
  { name: 'many outputs', body: '{{ x | replace: "a", "b" }}'.repeat(19_000) },
  { name: 'many conditions', body: '{% if a == b and c == d or e contains f %}x{% endif %}'.repeat(9_000) },
  { name: 'a chain of filters', body: `{{ x${' | upcase'.repeat(200_000)} }}` },
  { name: 'a chain of operators', body: `{% if a${' and a'.repeat(250_000)} %}x{% endif %}` },
  { name: 'a path without end', body: `{{ a${'.a'.repeat(900_000)} }}` },
  { name: 'a path in brackets', body: `{{ a${'["b"]'.repeat(240_000)} }}` },
  { name: 'brackets in brackets', body: `{{ a${'[a'.repeat(90_000)}${']'.repeat(90_000)} }}` },
  { name: 'a cycle of everything', body: `{% cycle ${'a, '.repeat(600_000)} b %}` },
  { name: 'a long liquid block', body: `{% liquid\n${'assign a = b\n'.repeat(120_000)}%}` },
  { name: 'conditions in conditions', body: '{% if true %}'.repeat(9_000) + '{% endif %}'.repeat(9_000) },
  { name: 'cases without end', body: `{% case a %}{% when ${'1, '.repeat(450_000)}2 %}x{% endcase %}` },
  {
    name: 'a chain of filters in an assignment',
    body: `{% assign a = b${' | append: c'.repeat(150_000)} %}`,
  },
  { name: 'ranges in one tag', body: `{% cycle ${'(1..2), '.repeat(200_000)} b %}` },
  { name: 'arguments of a tag that is not known', body: `{% render "x"${', a: 1'.repeat(300_000)} %}` },
  { name: 'quotes that never close', body: `{{ a ${String.raw`\'`.repeat(400_000)} }}` },
  { name: 'quotes of both kinds', body: `{{ a ${String.raw`\'\"`.repeat(250_000)} ?? "b" }}` },
  { name: 'arguments without end', body: `{{ a | default: ${'1, '.repeat(450_000)}2 }}` },
]
