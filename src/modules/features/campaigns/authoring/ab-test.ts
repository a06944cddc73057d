// A/B tests: up to five variants of a campaign on a share of its recipients, and what can be concluded from how people react. Who gets
// which variant follows from the ids and from what was settled when sending began, so it is the same wherever and however often it is
// computed. Pure.
import { createHash } from 'node:crypto'
import { probabilitiesOfBest, type Reactions } from '../results/best'
import type { AbMetric } from '../schema'

/** The campaign as its author wrote it, and the others. */
export const variantNames = ['A', 'B', 'C', 'D', 'E'] as const
export type VariantName = (typeof variantNames)[number]
export const maxVariants = variantNames.length

/** What an author asks for. */
export interface AbPlan {
  /** How many there are, A included. */
  variants: number
  /** Percentage of the recipients that they are tried on. */
  share: number
}

/** How a test divides the recipients. */
export interface AbSplit {
  /** Below which place each variant ends, A first; those from the last one on wait. */
  ends: readonly number[]
}

/** Recipients have places below this, spread evenly; SQL makes the same number from the same ids. */
export const allPlaces = 2 ** 32

/** Up to this many recipients the places are counted, so that as many are tried as was said. Among more, chance hardly matters. */
export const mostCounted = 10_000

/** By their places alone: each variant gets about as many. */
export function evenEnds({ variants, share }: AbPlan): number[] {
  const end = Math.floor((allPlaces * share) / 100)
  return Array.from({ length: variants }, (_, number) => Math.ceil(((number + 1) * end) / variants))
}

/** How many get a variant at first: the share as it is said before sending, which may be too few for all variants. */
export function testedOf({ share }: Pick<AbPlan, 'share'>, recipients: number): number {
  return Math.round((recipients * share) / 100)
}

/** Why there are too few recipients for a test; undefined if each variant gets at least one. */
export function tooFewFor(plan: AbPlan, recipients: number): string | undefined {
  const { variants, share } = plan
  const tested = testedOf(plan, recipients)
  if (tested >= variants) return undefined
  if (recipients < variants)
    return `${recipients} recipients are fewer than the ${variants} variants; send to more, or set abTest to null`
  const least = Math.ceil(((variants - 0.5) * 100) / recipients)
  return `${share} percent of ${recipients} recipients are ${tested}, fewer than the ${variants} variants; use ${least} or more, or set abTest to null`
}

/** Exactly, among recipients with these places, lowest first. Each variant gets somebody as far as there are enough. */
export function countedEnds(plan: AbPlan, places: readonly number[]): number[] {
  const { variants } = plan
  const tested = Math.min(places.length, Math.max(variants, testedOf(plan, places.length)))
  return Array.from(
    { length: variants },
    (_, number) => places[Math.ceil(((number + 1) * tested) / variants)] ?? allPlaces,
  )
}

function placeOf(campaignId: string, contactId: string): number {
  return Number.parseInt(createHash('md5').update(`${campaignId}${contactId}`).digest('hex').slice(0, 8), 16)
}

/** The number of the variant that is tried on a contact; undefined for the others, who wait for the winner. */
export function triedOn({ ends }: AbSplit, campaignId: string, contactId: string): number | undefined {
  const place = placeOf(campaignId, contactId)
  const number = ends.findIndex(end => place < end)
  return number === -1 ? undefined : number
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
