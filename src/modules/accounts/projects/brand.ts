// What the emails and pages of a project have in common: logo, colors, fonts, postal address, links, and the text of the footer. Pure.
import { type FieldError, invalid } from '../../../lib/errors'
import { isWebAddress } from '../../../lib/web-address'
import type { AuditDetails } from './audit'

/** Fonts that email clients have; `sans` is that of the reader's system, `serif` Georgia. */
export const brandFonts = [
  'sans',
  'arial',
  'verdana',
  'tahoma',
  'trebuchet',
  'serif',
  'times',
  'courier',
] as const
export type BrandFont = (typeof brandFonts)[number]

export interface SocialLink {
  name: string
  url: string
}

export interface Brand {
  /** The key of an upload of this project. */
  logo: string | null
  /** In pixels, as it is shown in emails. */
  logoWidth: number
  textColor: string
  /** Around the paper. */
  backgroundColor: string
  paperColor: string
  /** Of links and buttons. */
  accentColor: string
  font: BrandFont
  headingFont: BrandFont
  postalAddress: string | null
  socialLinks: SocialLink[]
  /** Why people get these emails. */
  footerText: string | null
}

const plainBrand: Brand = {
  logo: null,
  logoWidth: 160,
  textColor: '#24211e',
  backgroundColor: '#f4f3f1',
  paperColor: '#ffffff',
  accentColor: '#2f5d8a',
  font: 'sans',
  headingFont: 'sans',
  postalAddress: null,
  socialLinks: [],
  footerText: null,
}

/** What was stored, and for the rest what a new project has. */
export function brandOf(stored: Partial<Brand> | null): Brand {
  return { ...plainBrand, ...stored }
}

export type BrandChanges = Partial<Brand>

const colors = ['textColor', 'backgroundColor', 'paperColor', 'accentColor'] as const

/** As it is stored: small letters, texts of one line, and no empty ones. Throws 422 for links that lead nowhere. */
export function requireBrand(given: BrandChanges): BrandChanges {
  const changes = { ...given }
  for (const name of colors) {
    const color = given[name]
    if (color !== undefined) changes[name] = color.toLowerCase()
  }
  for (const name of ['postalAddress', 'footerText'] as const) {
    const text = given[name]
    if (text !== undefined) changes[name] = oneLine(text ?? '', name === 'postalAddress' ? ', ' : ' ') || null
  }
  if (given.socialLinks)
    changes.socialLinks = given.socialLinks.map(({ name, url }) => ({
      name: oneLine(name, ' '),
      url: url.trim(),
    }))
  const faults = [
    ...(['postalAddress', 'footerText'] as const).flatMap(name => braceFaults(name, changes[name] ?? '')),
    ...(changes.socialLinks ?? []).flatMap(linkFaults),
  ]
  if (faults.length > 0) throw invalid(faults)
  return changes
}

/** The database accepts neither NUL nor half a character. */
function oneLine(text: string, between: string): string {
  return text
    .toWellFormed()
    .split(/\r?\n/)
    .map(line => line.replaceAll(/\p{Cc}/gu, ' ').trim())
    .filter(Boolean)
    .join(between)
}

/** They are written into templates, where braces mean something. */
function braceFaults(field: string, text: string): FieldError[] {
  const message = 'Must not contain { or }'
  return /[{}]/.test(text) ? [{ field, message, code: 'invalid_string', received: text }] : []
}

function linkFaults({ name, url }: SocialLink, index: number): FieldError[] {
  const at = `socialLinks.${index}`
  const fault = (field: string, message: string, received: string): FieldError => ({
    ...{ field: `${at}.${field}`, message, code: 'invalid_string', received },
  })
  return [
    ...(name ? [] : [fault('name', 'Must not be empty', name)]),
    ...braceFaults(`${at}.name`, name),
    ...braceFaults(`${at}.url`, url),
    ...(isWebAddress(url) ? [] : [fault('url', 'Must be a URL that begins with http:// or https://', url)]),
  ]
}

/** What the audit log says about those that were changed. */
export function brandDetails({ socialLinks, ...changes }: BrandChanges): AuditDetails {
  return {
    ...changes,
    ...(socialLinks ? { socialLinks: socialLinks.map(({ url }) => url).join(' ') } : {}),
  }
}

/** What a template reads under `brand`. */
export interface BrandVariables {
  name: string
  logo: string
  logoWidth: number
  color: string
  textColor: string
  backgroundColor: string
  paperColor: string
  address: string
  footer: string
  links: ReadonlyArray<SocialLink>
}

export function brandVariables(
  projectName: string,
  brand: Brand,
  addressOf: (key: string) => string,
): BrandVariables {
  const { logo, logoWidth, accentColor, textColor, backgroundColor, paperColor, socialLinks } = brand
  return {
    name: projectName,
    logo: logo === null ? '' : addressOf(logo),
    logoWidth,
    color: accentColor,
    ...{ textColor, backgroundColor, paperColor },
    address: brand.postalAddress ?? '',
    footer: brand.footerText ?? '',
    links: socialLinks,
  }
}
