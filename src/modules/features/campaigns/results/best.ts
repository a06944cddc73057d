// Which of several rates is the highest, and how sure that is. Before the first message leaves, every rate is considered equally likely;
// after `reacted` of `people` its density is that of Beta(1 + reacted, 1 + people - reacted). The probability that a variant is the
// best one is the integral of its density times the chance that each of the others is lower. No sampling: the same figures always give the
// same answer. Pure.

export interface Reactions {
  reacted: number
  people: number
}

/** Densities are this wide on each side, in standard deviations: what lies outside is below 1e-14. */
const reach = 8
/** Steps in the narrowest standard deviation. */
const fineness = 10
/** Where one variant has a hundred thousand times the figures of another, steps are wider than that, and still narrow enough. */
const maxSteps = 20_000

/** For each variant the probability that its rate is the highest; they add up to 1. */
export function probabilitiesOfBest(variants: readonly Reactions[]): number[] {
  if (variants.length < 2) return variants.map(() => 1)
  const masses = massesOf(variants)
  const scores = variants.map(() => 0)
  const below = variants.map(() => 0)
  for (let step = 0; step < masses[0]!.length; step++) {
    const lower = masses.map((mass, each) => below[each]! + lowerHalf(mass, step))
    for (const [each, mass] of masses.entries()) {
      let product = mass[step]!
      for (const [other, chance] of lower.entries()) if (other !== each) product *= chance
      scores[each]! += product
      below[each]! += mass[step]!
    }
  }
  const sum = scores.reduce((all, one) => all + one, 0)
  return scores.map(score => score / sum)
}

/** What lies below the middle of a step, of what lies in it: a half, and a little less where the density rises (Euler and Maclaurin). */
function lowerHalf(mass: Float64Array, step: number): number {
  const rise = (mass[step + 1] ?? 0) - (mass[step - 1] ?? 0)
  return mass[step]! / 2 - rise / 24
}

/**
 * How likely each rate is in each step of one grid. The grid is of angles whose squared sine is the rate: there a density is about as wide for
 * a rate of 1 % as for one of 50 %, by 1 / (2 √n), and ends softly at both ends.
 */
function massesOf(variants: readonly Reactions[]): Float64Array[] {
  const shapes = variants.map(shapeOf)
  const from = Math.max(0, Math.min(...shapes.map(({ middle, width }) => middle - reach * width)))
  const to = Math.min(Math.PI / 2, Math.max(...shapes.map(({ middle, width }) => middle + reach * width)))
  const narrowest = Math.min(...shapes.map(({ width }) => width))
  const steps = Math.min(maxSteps, Math.ceil(((to - from) / narrowest) * fineness))
  const masses = shapes.map(() => new Float64Array(steps))
  const sums = shapes.map(() => 0)
  for (let step = 0; step < steps; step++) {
    const angle = from + ((step + 0.5) * (to - from)) / steps
    const [sine, cosine] = [Math.log(Math.sin(angle)), Math.log(Math.cos(angle))]
    for (const [each, { hits, misses, peak }] of shapes.entries()) {
      const mass = Math.exp(hits * sine + misses * cosine - peak)
      masses[each]![step] = mass
      sums[each]! += mass
    }
  }
  for (const [each, mass] of masses.entries())
    for (let step = 0; step < steps; step++) mass[step]! /= sums[each]!
  return masses
}

interface Shape {
  /** Powers of sine and cosine in the density of the angle, with the change of variables in them. */
  hits: number
  misses: number
  middle: number
  width: number
  /** The logarithm of the density at its highest: densities are taken relative to it, so that none is too small for a number. */
  peak: number
}

function shapeOf({ reacted, people }: Reactions): Shape {
  const [hits, misses] = [2 * reacted + 1, 2 * (people - reacted) + 1]
  const middle = Math.atan(Math.sqrt(hits / misses))
  const width = 1 / Math.sqrt(2 * (hits + misses))
  const peak = hits * Math.log(Math.sin(middle)) + misses * Math.log(Math.cos(middle))
  return { hits, misses, middle, width, peak }
}
