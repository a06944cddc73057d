// The A/B test of a campaign, as it is typed, and as it is saved.
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import type { CampaignRow, VariantName } from './data'
import { isWithin } from './timing-draft'

export type AbTest = NonNullable<CampaignRow['abTest']>
type Variant = AbTest['variants'][number]

export interface VariantDraft {
  /** Numbered, so that removing one keeps what was typed into the others. */
  key: number
  subject: string
  fromName: string
  /** Empty: that of A. `own`: what is stored. Else the id of a template, which is copied when it is saved. */
  content: string
  own: Pick<Variant, 'body' | 'editor'>
}

export interface AbTestDraft {
  isOn: boolean
  variants: VariantDraft[]
  share: string
  afterHours: string
  confidence: string
  metric: AbTest['metric']
  otherwise: AbTest['otherwise']
}

export const variantNames: readonly VariantName[] = ['A', 'B', 'C', 'D', 'E']

export const ownContent = 'own'

const nothing: Variant = { subject: null, fromName: null, body: null }

export function readAbTest({ abTest }: Pick<CampaignRow, 'abTest'>): AbTestDraft {
  return {
    isOn: !!abTest,
    variants: (abTest?.variants ?? [nothing]).map(variantDraft),
    share: String(abTest?.share ?? 20),
    afterHours: String(abTest?.afterHours ?? 4),
    confidence: String(abTest?.confidence ?? 95),
    metric: abTest?.metric ?? 'CLICKS',
    otherwise: abTest?.otherwise ?? 'A',
  }
}

function variantDraft({ subject, fromName, body, editor }: Variant, key: number): VariantDraft {
  const own = { body, ...(editor === undefined ? {} : { editor }) }
  return { key, subject: subject ?? '', fromName: fromName ?? '', content: body ? ownContent : '', own }
}

export function withVariant(draft: AbTestDraft): AbTestDraft {
  const key = Math.max(...draft.variants.map(variant => variant.key)) + 1
  return { ...draft, variants: [...draft.variants, variantDraft(nothing, key)] }
}

export async function savedAbTest(draft: AbTestDraft): Promise<{ abTest: AbTest | null }> {
  if (!draft.isOn) return { abTest: null }
  const { share, afterHours, confidence, metric, otherwise } = draft
  const numbers = { share: Number(share), afterHours: Number(afterHours), confidence: Number(confidence) }
  const variants = await Promise.all(draft.variants.map(savedVariant))
  return { abTest: { ...numbers, metric, otherwise, variants } }
}

async function savedVariant({ subject, fromName, content, own }: VariantDraft): Promise<Variant> {
  const words = { subject: subject || null, fromName: fromName || null }
  if (!content) return { ...nothing, ...words }
  if (content === ownContent) return { ...words, ...own }
  const template = await answer(api.GET('/templates/{id}', { params: { path: { id: content } } }))
  return { ...words, body: template!.body, editor: template!.editor }
}

/** Variants that were copied from a template have content of their own, once that is stored. */
export function copied(draft: AbTestDraft, { abTest }: Pick<CampaignRow, 'abTest'>): AbTestDraft {
  const variants = draft.variants.map((variant, at): VariantDraft => {
    const stored = abTest?.variants[at]
    if (!stored?.body || !variant.content || variant.content === ownContent) return variant
    return { ...variantDraft(stored, variant.key), subject: variant.subject, fromName: variant.fromName }
  })
  return { ...draft, variants }
}

/** Up to this many recipients, exactly as many are tested as was said; among more, chance decides about a few. */
const mostCounted = 10_000

export interface TestGroup {
  tested: number
  /** How many get each variant, A first. */
  sizes: number[]
  isExact: boolean
}

/** How many get a variant at first. */
export function testGroup(share: number, variants: number, recipients: number): TestGroup {
  const tested = Math.round((recipients * share) / 100)
  const upTo = (number: number): number => Math.ceil((number * tested) / variants)
  const sizes = Array.from({ length: variants }, (_, number) => upTo(number + 1) - upTo(number))
  return { tested, sizes, isExact: recipients <= mostCounted }
}

/** The least share with which every variant gets a recipient; undefined where the share is enough. */
export function smallTestFault(
  { isOn, share, variants }: AbTestDraft,
  recipients: number,
): string | undefined {
  const all = variants.length + 1
  if (!isOn || testGroup(Number(share), all, recipients).tested >= all) return undefined
  const least = Math.ceil(((all - 0.5) * 100) / recipients)
  return recipients < all
    ? t.campaigns.missing.testAudience(all)
    : t.campaigns.missing.testShare(recipients, all, least)
}

export const variantField = (index: number, member: string): string => `abTest.variants.${index}.${member}`

export function abTestFaults({
  isOn,
  variants,
  share,
  afterHours,
  confidence,
}: AbTestDraft): Record<string, string> {
  if (!isOn) return {}
  const { missing } = t.campaigns
  const empty = variants.flatMap(({ subject, fromName, content }, index) =>
    subject.trim() || fromName.trim() || content ? [] : [[variantField(index, 'subject'), missing.variant]],
  )
  return {
    ...Object.fromEntries(empty),
    ...(isWithin(share, 1, 100) ? {} : { 'abTest.share': missing.number(1, 100) }),
    ...(isWithin(afterHours, 1, 168) ? {} : { 'abTest.afterHours': missing.number(1, 168) }),
    ...(Number(confidence) >= 50 && Number(confidence) <= 99.9
      ? {}
      : { 'abTest.confidence': missing.number(50, 99.9) }),
  }
}

/** What a variant has of its own. */
export function ownWords({ subject, fromName, body }: Variant): string {
  const content = body ? [t.campaigns.abTest.content] : []
  return [subject, fromName, ...content].filter(part => part).join(' · ')
}
