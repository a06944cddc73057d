// The blocks that show the brand, and how they look where no server renders them. A stored email names the brand's variables, so that it
// follows the brand.
import { colourOf, type MailTheme } from './document'
import { escapeAttribute } from './escape'

/** The same names as in templates. */
export interface BrandValues {
  name: string
  logo: string
  logoWidth: number
  address: string
  footer: string
  links: ReadonlyArray<{ name: string; url: string }>
}

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

const logoForm = /\{% if brand\.logo %\}(.*?)\{% else %\}(.*?)\{% endif %\}/gs
const linksForm =
  /\{% for link in brand\.links %\}(.*?)\{% unless forloop\.last %\}(.*?)\{% endunless %\}\{% endfor %\}/gs

/** What a reader sees of the brand: for pictures of emails that no server renders. */
export function fillBrand(html: string, brand: BrandValues): string {
  const values: Record<string, unknown> = { ...brand }
  const value = (given: unknown): string => escapeAttribute(String(given ?? ''))
  return html
    .replaceAll(logoForm, (_, image: string, words: string) => (brand.logo ? image : words))
    .replaceAll(linksForm, (_, link: string, between: string) =>
      brand.links
        .map(({ name, url }) =>
          link.replaceAll('{{link.url}}', value(url)).replaceAll('{{link.name}}', value(name)),
        )
        .join(between),
    )
    .replaceAll(/\{\{ ?brand\.(\w+) ?\}\}/g, (_, name: string) => value(values[name]))
}
