// The blocks that show the brand, and how they look where no server renders them. A stored email names the brand's variables, so that it
// follows the brand.
import { type Block, colourOf, type MailDocument, type MailTheme } from './document'
import { escapeAttribute } from './escape'
import type { MailFont } from './fonts'

/** The same names as in templates. */
export interface BrandValues {
  name: string
  logo: string
  logoWidth: number
  address: string
  footer: string
  links: ReadonlyArray<{ name: string; url: string }>
}

/** As the server has it. */
export interface StoredBrand {
  logo: string | null
  logoWidth: number
  textColor: string
  backgroundColor: string
  paperColor: string
  accentColor: string
  font: MailFont
  headingFont: MailFont
  postalAddress: string | null
  footerText: string | null
  socialLinks: ReadonlyArray<{ name: string; url: string }>
}

/** The colors and fonts of an email that begins. */
export function themeOf(brand: StoredBrand): MailTheme {
  const { backgroundColor, paperColor, textColor, accentColor, font, headingFont } = brand
  return {
    ...{ background: backgroundColor, sheet: paperColor, ink: textColor, accent: accentColor, font },
    ...(headingFont === font ? {} : { headingFont }),
  }
}

/** An email that begins: in the brand's colors and fonts, under its logo, and with its links above the footer. */
export function inBrand(document: MailDocument, brand: StoredBrand): MailDocument {
  const logo: Block[] = brand.logo ? [{ type: 'logo' }] : []
  const social: Block[] =
    brand.socialLinks.length > 0 ? [{ type: 'social', attrs: { align: 'center', links: [] } }] : []
  const blocks = document.doc.content ?? []
  const content = [...logo, ...blocks.slice(0, -1), ...social, ...blocks.slice(-1)]
  return { ...document, theme: themeOf(brand), doc: { ...document.doc, content } }
}

/** As templates see it. */
export const brandValues = (brand: StoredBrand, name: string): BrandValues => ({
  ...{ name, logo: brand.logo ?? '', logoWidth: brand.logoWidth, links: brand.socialLinks },
  address: brand.postalAddress ?? '',
  footer: brand.footerText ?? '',
})

/** The logo, or the project's name where there is none. */
export function brandLogo(attrs: Record<string, unknown> = {}, { ink }: MailTheme, font: string): string {
  const image =
    '<img src="{{brand.logo}}" alt="{{brand.name}}" width="{{brand.logoWidth}}" style="display:inline-block;border:0;width:{{brand.logoWidth}}px;max-width:100%;height:auto;">'
  const style = `${font}font-size:20px;line-height:28px;font-weight:700;color:${colourOf(attrs['color'], ink)};`
  return `{% if brand.logo %}${image}{% else %}<span class="ink" style="${style}">{{brand.name}}</span>{% endif %}`
}

/** The brand's social links. */
export function brandLinks(link: string, between: string): string {
  return `{% for link in brand.links %}${link}{% unless forloop.last %}${between}{% endunless %}{% endfor %}`
}

type Form = readonly [begin: string, middle: string, end: string]
const logoForm: Form = ['{% if brand.logo %}', '{% else %}', '{% endif %}']
const linksForm: Form = [
  '{% for link in brand.links %}',
  '{% unless forloop.last %}',
  '{% endunless %}{% endfor %}',
]

/** Puts something in place of each form, by what its two parts hold. One that isn't whole stays. */
function replaceForms(
  html: string,
  [begin, middle, end]: Form,
  fill: (first: string, second: string) => string,
): string {
  const [before = '', ...rest] = html.split(begin)
  const filled = rest.map(text => {
    const at = text.indexOf(middle)
    const to = at < 0 ? -1 : text.indexOf(end, at)
    return to < 0
      ? begin + text
      : fill(text.slice(0, at), text.slice(at + middle.length, to)) + text.slice(to + end.length)
  })
  return before + filled.join('')
}

/** What a reader sees of the brand: for pictures of emails that no server renders. */
export function fillBrand(html: string, brand: BrandValues): string {
  const values: Record<string, unknown> = { ...brand }
  const value = (given: unknown): string => escapeAttribute(String(given ?? ''))
  const withLogo = replaceForms(html, logoForm, (image, words) => (brand.logo ? image : words))
  const withLinks = replaceForms(withLogo, linksForm, (link, between) =>
    brand.links
      .map(({ name, url }) =>
        link.replaceAll('{{link.url}}', () => value(url)).replaceAll('{{link.name}}', () => value(name)),
      )
      .join(between),
  )
  return withLinks.replaceAll(/\{\{ ?brand\.(\w+) ?\}\}/g, (_, name: string) => value(values[name]))
}
