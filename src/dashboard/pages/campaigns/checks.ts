// The check before sending, of each variant of a campaign.
import type { QueryClient } from '@tanstack/react-query'
import { previewQuery } from '../../editor/data'
import { variantNames } from './ab-test-draft'
import { type CampaignRow, checkQuery, type VariantName } from './data'

interface Checked {
  warnings: ReadonlyArray<{ code: string; message: string; variable?: string; contacts?: number }>
  html: string
  subject: string
}

/** A first. What isn't published yet is checked as it is written. */
export function checksOf(
  queries: QueryClient,
  campaign: CampaignRow,
  isUnpublished: boolean,
): Array<{ name: VariantName; check: Promise<Checked> }> {
  const variants = [undefined, ...(campaign.abTest?.variants ?? [])]
  return variants.map((own, at) => {
    const name = variantNames[at]!
    const { id, version, type, layoutId } = campaign
    const subject = own?.subject ?? campaign.subject
    const body = own?.body ?? campaign.body
    const check: Promise<Checked> = isUnpublished
      ? queries.fetchQuery(previewQuery({ subject, body, type, layoutId: layoutId ?? '' }))
      : queries.fetchQuery(checkQuery(id, version, name))
    return { name, check }
  })
}
