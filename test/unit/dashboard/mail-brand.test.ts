// The brand in emails of the block editor: what a stored email says, what a reader sees, and whether colors can be read.
import { describe, expect, test } from 'bun:test'
import { type BrandValues, fillBrand } from '../../../src/dashboard/editor/mail/brand'
import { footer, heading, mail, paragraph } from '../../../src/dashboard/editor/mail/build'
import { contrastOf, inkOn, readableShade } from '../../../src/dashboard/editor/mail/contrast'
import { readDocument } from '../../../src/dashboard/editor/mail/document'
import { mailFonts } from '../../../src/dashboard/editor/mail/fonts'
import { renderMail } from '../../../src/dashboard/editor/mail/render'

const brand: BrandValues = {
  name: 'Fernway & Sons',
  logo: 'https://mail.example/uploads/logo.png',
  logoWidth: 180,
  address: 'Lindenstraße 4, 10969 Berlin',
  footer: '',
  links: [
    { name: 'Website', url: 'https://fernway.example/?a=1&b=2' },
    { name: 'LinkedIn', url: 'https://linkedin.example/fernway' },
  ],
}

const document = mail('', [
  { type: 'logo', attrs: { align: 'center' } },
  { type: 'social', attrs: { align: 'center', links: [] } },
  footer('{{brand.address}}'),
])

describe('blocks of the brand', () => {
  test('a stored email names the variables, so that it follows the brand', () => {
    const html = renderMail(document)
    for (const name of ['brand.logo', 'brand.name', 'brand.logoWidth', 'brand.links', 'brand.address'])
      expect(html).toContain(name)
    expect(html).not.toContain('Fernway')
  })

  test('a reader sees the logo, the links, and the address', () => {
    const html = fillBrand(renderMail(document), brand)
    expect(html).toContain('src="https://mail.example/uploads/logo.png" alt="Fernway &amp; Sons" width="180"')
    expect(html).toContain('href="https://fernway.example/?a=1&amp;b=2"')
    expect(html).toContain('LinkedIn</a>')
    expect(html).toContain('Lindenstraße 4, 10969 Berlin')
    expect(html).not.toMatch(/\{[{%]/)
  })

  test('without a logo, a reader sees the name', () => {
    const html = fillBrand(renderMail(document), { ...brand, logo: '', links: [] })
    expect(html).not.toContain('<img')
    expect(html).toContain('>Fernway &amp; Sons</span>')
    expect(html).not.toMatch(/\{[{%]/)
  })

  test('headings have a font of their own', () => {
    const html = renderMail(
      mail('', [heading('One'), paragraph('Two')], { font: 'verdana', headingFont: 'serif' }),
    )
    expect(html).toMatch(/<h1[^>]*font-family:Georgia/)
    expect(html).toMatch(/<p[^>]*font-family:Verdana/)
  })

  test('fonts that there are not are as in an empty document', () => {
    const theme = { font: 'papyrus', headingFont: 'x;}' }
    expect(readDocument({ version: 2, theme }).theme).toMatchObject({ font: 'sans' })
    expect(readDocument({ version: 2, theme }).theme.headingFont).toBeUndefined()
    for (const font of mailFonts)
      expect(readDocument({ version: 2, theme: { font, headingFont: font } }).theme).toMatchObject({
        font,
        headingFont: font,
      })
  })
})

describe('contrast', () => {
  const grounds = ['#000000', '#ffffff', '#2f5d8a', '#e8590c', '#ffd43b', '#777777', '#0b7285', '#868e96']

  test.each(grounds)('words on %s can be read', ground => {
    expect(contrastOf(ground, inkOn(ground))).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['#ffffff', '#24211e', undefined],
    ['#ffffff', '#e8590c', 'darker'],
    ['#151413', '#2f5d8a', 'lighter'],
  ])('on %s, %s becomes %s', (ground, ink, way) => {
    const shade = readableShade(ground, ink)
    if (!way) return expect(shade).toBeUndefined()
    expect(contrastOf(ground, shade!)).toBeGreaterThanOrEqual(4.5)
    expect(contrastOf('#000000', shade!) > contrastOf('#000000', ink)).toBe(way === 'lighter')
    return undefined
  })
})
