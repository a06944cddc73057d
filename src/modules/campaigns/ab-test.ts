// A/B tests: up to five variants of a campaign on a share of its recipients, and what can be concluded from how people react. Who gets
// which variant follows from the ids alone, so it is the same wherever and however often it is computed. Pure.
import { createHash } from 'node:crypto'
import { probabilitiesOfBest, type Reactions } from './best'
import type { AbMetric } from './schema'

/** The campaign as its author wrote it, and the others. */
export const variantNames = ['A', 'B', 'C', 'D', 'E'] as const
export type VariantName = (typeof variantNames)[number]
export const maxVariants = variantNames.length

/** How a test divides the recipients. */
export interface AbSplit {
  /** How many there are, A included. */
  variants: number
  /** Percentage of the recipients that they are tried on. */
  share: number
}

/** Recipients have places below this, spread evenly; SQL makes the same number from the same ids. */
export const allPlaces = 2 ** 32

function placeOf(campaignId: string, contactId: string): number {
  return Number.parseInt(createHash('md5').update(`${campaignId}${contactId}`).digest('hex').slice(0, 8), 16)
}

/** The number of the variant that is tried on a contact; undefined for the others, who wait for the winner. */
export function triedOn(
  { variants, share }: AbSplit,
  campaignId: string,
  contactId: string,
): number | undefined {
  const [place, end] = [placeOf(campaignId, contactId), Math.floor((allPlaces * share) / 100)]
  return place < end ? Math.floor((place * variants) / end) : undefined
}

export interface AbFigures {
  sent: number
  /** By people, as far as can be told: each counts once. */
  opened: number
  clicked: number
  /** People who opted out by it. */
  unsubscribed: number
}

export interface JudgedVariant extends AbFigures {
  /** That none of the others is better, from 0 to 1. */
  probability: number
}

/** Each with the probability that it is the best one by the metric of the test. */
export function judged(metric: AbMetric, variants: readonly AbFigures[]): JudgedVariant[] {
  const probabilities = probabilitiesOfBest(variants.map(figures => reactionsOf(metric, figures)))
  return variants.map((figures, number) => ({ ...figures, probability: probabilities[number]! }))
}

/** A reaction may be reported before the message itself is counted. */
function reactionsOf(metric: AbMetric, { sent, opened, clicked }: AbFigures): Reactions {
  const reacted = metric === 'OPENS' ? opened : clicked
  return { reacted, people: Math.max(sent, reacted) }
}

/** The number of the winner; undefined where none is the best one with this confidence, in percent. */
export function winnerOf(variants: readonly JudgedVariant[], confidence: number): number | undefined {
  const found = variants.findIndex(({ probability }) => probability * 100 >= confidence)
  return found === -1 ? undefined : found
}
