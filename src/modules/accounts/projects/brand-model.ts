// Requests and answers about a project's brand.
import { type Static, t } from 'elysia'
import { answeredInstant } from '../../../lib/answered'
import { instantText, oneOfWords } from '../../../lib/described'
import type { Context } from '../../../platform/context'
import { addressOfFile } from '../../../platform/files/address'
import { brandFonts, brandOf } from './brand'
import type { ProjectRow } from './queries'

const color = (description: string) =>
  t.Optional(t.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, examples: ['#24543f'], description }))

const font = (description: string) => t.Optional(oneOfWords(brandFonts, { description }))

const text = (maxLength: number, description: string, example: string) =>
  t.Optional(t.Union([t.String({ maxLength, examples: [example] }), t.Null()], { description }))

const maxUrlLength = 500

export const brandBody = t.Object(
  {
    logo: t.Optional(
      t.Union([t.String({ maxLength: 1_000 }), t.Null()], {
        description: '`url` of an image that this project uploaded (PNG, JPEG, or GIF); null for none',
      }),
    ),
    logoWidth: t.Optional(
      t.Integer({ minimum: 40, maximum: 600, description: 'Of the logo in emails, in pixels; default 160' }),
    ),
    textColor: color('Text of emails'),
    backgroundColor: color('Around the paper'),
    paperColor: color('Behind the text'),
    accentColor: color('Links and buttons'),
    font: font("Font of texts; `sans` is that of the reader's system, `serif` Georgia"),
    headingFont: font('Font of headings'),
    postalAddress: text(
      300,
      'Postal address in the footer of emails, as one line',
      'Fernway GmbH, Lindenstraße 4, 10969 Berlin',
    ),
    socialLinks: t.Optional(
      t.Array(
        t.Object({
          name: t.String({ minLength: 1, maxLength: 40, examples: ['LinkedIn'] }),
          url: t.String({ maxLength: maxUrlLength, examples: ['https://www.linkedin.com/company/fernway'] }),
        }),
        { maxItems: 10 },
      ),
    ),
    footerText: text(
      500,
      'Text in the footer of emails, such as why people get them',
      'You get this email because you subscribed to our newsletter.',
    ),
    expectedUpdatedAt: t.Optional(
      instantText({
        description: '`updatedAt` of the brand as you loaded it. 409 if the project changed since then',
      }),
    ),
  },
  { title: 'BrandChanges' },
)

export type BrandBody = Static<typeof brandBody>

const shownColor = t.String({ examples: ['#24543f'] })
const nullable = t.Union([t.String(), t.Null()])

export const brandAnswer = t.Object(
  {
    logo: t.Union([t.String(), t.Null()], { description: 'URL of the image' }),
    logoWidth: t.Integer(),
    textColor: shownColor,
    backgroundColor: shownColor,
    paperColor: shownColor,
    accentColor: shownColor,
    font: oneOfWords(brandFonts),
    headingFont: oneOfWords(brandFonts),
    postalAddress: nullable,
    socialLinks: t.Array(t.Object({ name: t.String(), url: t.String() })),
    footerText: nullable,
    updatedAt: answeredInstant(),
  },
  { title: 'Brand' },
)

export function toBrand(
  ctx: Context,
  { brand: stored, updatedAt }: Pick<ProjectRow, 'brand' | 'updatedAt'>,
): Static<typeof brandAnswer> {
  const brand = brandOf(stored)
  const logo = brand.logo === null ? null : addressOfFile(ctx, brand.logo)
  return { ...brand, logo, updatedAt: updatedAt.toISOString() }
}
