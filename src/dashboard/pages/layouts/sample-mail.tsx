// A layout around a sample text, as the server puts it together.
import { useMemo } from 'react'
import { MailPreview } from '../../editor/preview'
import { language, t } from '../../texts'
import { sampleContent } from './sample'

/** `isPage` where it takes the whole page. */
export function LayoutSample({ layout, isPage }: { layout: string; isPage?: boolean }) {
  const spoken = language()
  const body = useMemo(() => spoken && sampleContent(), [spoken])
  const from = isPage ? { from: t.layouts.sampleFrom } : {}
  return <MailPreview subject="" body={body} type="MARKETING" layout={layout || ' '} {...from} />
}
