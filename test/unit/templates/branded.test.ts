// The project's brand in a body: what is written into it, what comes first, and what of it stays Liquid.
import { describe, expect, test } from 'bun:test'
import { brandLinks, brandLogo } from '../../../src/dashboard/editor/mail/brand'
import { plainTheme } from '../../../src/dashboard/editor/mail/document'
import { createTemplateCache } from '../../../src/liquid/cache'
import type { BrandVariables } from '../../../src/modules/accounts/projects'
import { renderContent } from '../../../src/modules/sending/emails'
import { writeBrand } from '../../../src/modules/sending/templates/branded'

const brand: BrandVariables = {
  name: 'Fernway & "Sons"',
  logo: 'https://mail.example/uploads/logo.png',
  logoWidth: 180,
  color: '#24543f',
  textColor: '#26231f',
  backgroundColor: '#f4f2ec',
  paperColor: '#ffffff',
  address: "O'Connell Street 1 <Dublin>",
  footer: '',
  links: [
    { name: 'A & B', url: 'https://fernway.example/?a=1&b=2' },
    { name: 'LinkedIn', url: 'https://linkedin.example/fernway' },
  ],
}

const cache = createTemplateCache(1024 * 1024)
const seen = (
  body: string,
  given: Partial<BrandVariables> = {},
  data: Record<string, unknown> = {},
): string =>
  /<body>(.*)<\/body>/s.exec(
    renderContent(
      cache,
      { subject: 'x', body: `<html><body>${writeBrand(body, { ...brand, ...given })}</body></html>` },
      data,
    ).html,
  )![1]!

describe('the brand in a body', () => {
  test.each([
    ['an address', '<p>{{brand.address}}</p>', '<p>O&#39;Connell Street 1 &lt;Dublin&gt;</p>'],
    ['a color in a style', '<p style="color:{{ brand.color }}">x</p>', '<p style="color:#24543f">x</p>'],
    ['a number', '<img width="{{brand.logoWidth}}">', '<img width="180">'],
    ['what is empty', '<p>{{brand.footer}}</p>', '<p></p>'],
    ['a fallback, where it is empty', '<p>{{brand.footer ?? "Hello"}}</p>', '<p>Hello</p>'],
    ['a filter', '<p>{{brand.color | upcase}}</p>', '<p>#24543F</p>'],
    ['a condition that holds', '{% if brand.logo %}<p>yes</p>{% else %}<p>no</p>{% endif %}', '<p>yes</p>'],
    [
      'a condition that does not',
      '{% if brand.footer %}<p>yes</p>{% else %}<p>no</p>{% endif %}',
      '<p>no</p>',
    ],
    ['another name', '<p>{{brands.logo}}{{brand.unknown}}</p>', '<p></p>'],
  ])('%s', (_, body, html) => {
    expect(seen(body)).toBe(html)
  })

  test('data of the same name, which a project had before, comes first', () => {
    expect(seen('<p>{{brand.name}}</p>', {}, { brand: { name: 'Theirs' } })).toBe('<p>Theirs</p>')
  })

  test('nothing in a value is read as Liquid', () => {
    expect(seen('<p>{{brand.address}}</p>', { address: '{{secret}} {% if x %} \\' }, { secret: 's' })).toBe(
      '<p>secret % if x % </p>',
    )
  })

  test('logo and links of the block editor', () => {
    const logo = brandLogo({}, plainTheme, '')
    expect(seen(logo)).toContain('<img src="https://mail.example/uploads/logo.png"')
    expect(seen(logo)).toContain('width="180"')
    expect(seen(logo, { logo: '' })).toContain('>Fernway &amp; ”Sons”</span>')
    const links = brandLinks('<a href="{{link.url}}">{{link.name}}</a>', ' &middot; ')
    expect(seen(links)).toBe(
      '<a href="https://fernway.example/?a=1&amp;b=2">A &amp; B</a> &middot; <a href="https://linkedin.example/fernway">LinkedIn</a>',
    )
    expect(seen(links, { links: [] })).toBe('')
  })
})
