// Which links of a rendered message are its author's: those of the source, and personal ones whose host stands in the source.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createTemplateCache } from '../../../src/liquid/cache'
import { renderStored } from '../../../src/modules/emails/compose'
import { authoredLinks } from '../../../src/tracking/authored'

const baseUrl = 'https://mail.acme.example'
const given = (body: string, scope: Record<string, unknown>) =>
  renderStored(createTemplateCache(1_000_000), { subject: 's', body }, scope, { baseUrl }).givenLinks

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
    ['from a default', `<a href="{{x | default: 'https://shop.example/a'}}">`, {}],
  ])('%s is the author’s', (_, body, scope) => expect(given(body, scope)).toBeUndefined())

  test.each<[string, string, string]>([
    ['in markup of a value', '<p>{{x | raw}}</p>', '<a href="https://evil.example/">now</a>'],
    ['that is a value', '<a href="{{x}}">', 'https://evil.example/'],
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
  ])('%s is not', (_, body, x) => expect(given(body, { x })).toHaveLength(1))
})

test('no value makes a link to another host the author’s', () => {
  const { has } = authoredLinks('<a href="https://shop.example{{x}}"><a href="https://shop.example/{{x}}">')
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom('', '.', '@', ':', '\\', '&'),
      (url, glue) => {
        expect(has(`https://shop.example${glue}${url.slice('https://'.length)}`)).toBe(false)
        expect(has(url)).toBe(new URL(url).host === 'shop.example')
      },
    ),
  )
})
