// The first layout, in blocks: the logo, the place for the content, and the footer that the brand fills.
import { type StoredBrand, themeOf } from '../../editor/mail/brand'
import { divider, mail } from '../../editor/mail/build'
import type { Block, MailDocument } from '../../editor/mail/document'

type Link = 'unsubscribeUrl' | 'manageUrl' | 'browserUrl'

const text = (words: string): Block => ({ type: 'text', text: words })
const variable = (name: string): Block => ({ type: 'variable', attrs: { name, fallback: '' } })
const lineBreak: Block = { type: 'hardBreak' }

/** `words` are those of the links. */
export function starterLayout(brand: StoredBrand, words: Record<Link, string>): MailDocument {
  const link = (name: Link): Block => ({
    ...text(words[name]),
    marks: [{ type: 'link', attrs: { href: `{{${name}}}` } }],
  })
  return mail(
    '',
    [
      { type: 'logo', attrs: { paddingBottom: 24 } },
      { type: 'slot' },
      divider,
      ...(brand.socialLinks.length > 0 ? [{ type: 'social', attrs: { align: 'center', links: [] } }] : []),
      {
        type: 'footer',
        content: [
          ...[variable('brand.address'), lineBreak],
          ...(brand.footerText ? [variable('brand.footer'), lineBreak] : []),
          ...[link('unsubscribeUrl'), text(' · '), link('manageUrl'), text(' · '), link('browserUrl')],
        ],
      },
    ],
    themeOf(brand),
  )
}
