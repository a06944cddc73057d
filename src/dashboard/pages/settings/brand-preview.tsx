// An email as the brand makes it, while one changes the brand.
import { useMemo } from 'react'
import { brandValues, fillBrand, themeOf } from '../../editor/mail/brand'
import { button, heading, mail, paragraph } from '../../editor/mail/build'
import type { Block } from '../../editor/mail/document'
import { renderMail } from '../../editor/mail/render'
import { language, t } from '../../texts'
import { FittedMail } from '../../ui/mail/fitted'
import { useRested } from '../../ui/rested'
import type { BrandDraft } from './brand'

interface BrandPreviewProps {
  brand: BrandDraft
  projectName: string
}

export function BrandPreview({ brand, projectName }: BrandPreviewProps) {
  const spoken = language()
  // A color is dragged through many shades.
  const shown = useRested(brand, 100)
  const html = useMemo(() => spoken && previewOf(shown, projectName), [shown, projectName, spoken])
  return (
    <aside aria-label={t.brand.preview} className="min-w-0 space-y-2 xl:sticky xl:top-4">
      <h3 className="font-semibold">{t.brand.preview}</h3>
      <FittedMail html={html} title={t.brand.preview} width={600} />
    </aside>
  )
}

function previewOf(brand: BrandDraft, name: string): string {
  const { sampleHeading, sampleText, sampleButton } = t.layouts
  const { linkWords } = t.writing
  const text = (words: string): Block => ({ type: 'text', text: words })
  const lines = [brand.postalAddress, brand.footerText].filter(line => line !== null)
  const document = mail(
    '',
    [
      { type: 'logo', attrs: {} },
      heading(sampleHeading),
      paragraph(sampleText),
      button(sampleButton, 'https://example.com'),
      { type: 'divider' },
      ...(brand.socialLinks.length > 0 ? [{ type: 'social', attrs: { align: 'center' } }] : []),
      {
        type: 'footer',
        content: [
          ...lines.flatMap(line => [text(line), { type: 'hardBreak' }]),
          { ...text(linkWords.unsubscribeUrl), marks: [{ type: 'link', attrs: { href: '#' } }] },
          text(' · '),
          { ...text(linkWords.manageUrl), marks: [{ type: 'link', attrs: { href: '#' } }] },
        ],
      },
    ],
    themeOf(brand),
  )
  return fillBrand(renderMail(document), brandValues(brand, name))
}
