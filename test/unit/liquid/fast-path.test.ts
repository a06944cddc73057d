// What is filled in without the engine must be what the engine would have written.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileFast } from '../../../src/liquid/fast-path'
import type { RenderMode } from '../../../src/liquid/output'
import { scanTemplate } from '../../../src/liquid/scan'
import { compileTemplate } from '../../../src/liquid/template'

const fast = (source: string, mode: RenderMode = 'html') => compileFast(source, scanTemplate(source), mode)

test.each([
  'Hello {{name}}',
  'Hello {{ name ?? "you" }}, {{plan ?? free}}',
  '{{a}}{{b}}{{_c1}}',
  'text { and }} and {{ unclosed',
])('%s needs no engine', source => {
  expect(fast(source)).toBeDefined()
})

test.each([
  '{{a.b}}',
  '{{first name}}',
  '{{a | upcase}}',
  '{{- a}}',
  '{{a -}}',
  '{% if a %}x{% endif %}',
  '{% raw %}{{a}}{% endraw %}',
  '{{"a"}}',
  '{{true}}',
  '{{nil ?? x}}',
  '{{1}}',
  '{{}}',
  '{{a-b}}',
])('%s is left to the engine', source => {
  expect(fast(source)).toBeUndefined()
})

test('lists and objects are left to the engine, and come out as ever', () => {
  const template = compileTemplate('{{a}} {{b ?? "x"}}')
  expect(fast('{{a}}')!.fill({ a: ['x'] })).toBeUndefined()
  expect(template.render({ a: ['x', 'y'], b: null })).toBe('<li>x</li>\n<li>y</li> x')
  expect(template.render({ a: { c: 1 }, b: 0 })).toBe('[object Object] 0')
})

test('any names and values come out as the engine writes them', () => {
  const text = fc.constantFrom('a', ' <b>', '}', '{', '"', '&amp;', '\n', '{{ ')
  const output = fc.constantFrom(
    '{{a}}',
    '{{ b }}',
    '{{a ?? "x y"}}',
    '{{b ?? x}}',
    '{{c}}',
    '{{constructor}}',
  )
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('<i>x</i>', '{{a}}', '{% if %}', 'a\nb', ''),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  )
  const scopes = fc.record({ a: value, b: value }, { requiredKeys: [] })
  fc.assert(
    fc.property(
      fc.array(fc.oneof(text, output), { minLength: 1, maxLength: 8 }),
      scopes,
      fc.constantFrom<RenderMode>('html', 'text', 'line'),
      (parts, scope, mode) => {
        const source = parts.join('')
        // An empty comment is a tag, which sends the whole template to the engine and writes nothing.
        const byEngine = compileTemplate(`{% comment %}{% endcomment %}${source}`, mode)
        fc.pre(!byEngine.isPlain)
        expect(compileTemplate(source, mode).render(scope)).toBe(byEngine.render(scope))
      },
    ),
    { numRuns: 3_000 },
  )
})
