// A/B tests by the rules alone: which rate is the best one and how sure that is, who gets which variant, and how often a winner is the right one.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type AbFigures,
  allPlaces,
  countedEnds,
  evenEnds,
  judged,
  maxVariants,
  testedOf,
  tooFewFor,
  triedOn,
  winnerOf,
} from '../../../src/modules/features/campaigns/authoring/ab-test'
import { probabilitiesOfBest } from '../../../src/modules/features/campaigns/results/best'

/** log((n - 1)!), added up; exact enough for an oracle. */
const logFactorials = [0, 0]
function logGamma(n: number): number {
  for (let k = logFactorials.length; k <= n; k++) logFactorials.push(logFactorials[k - 1]! + Math.log(k - 1))
  return logFactorials[n]!
}
const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** The chance of the second rate to be the higher one as a finite sum, which there is for two. */
function exactly(a: readonly [number, number], b: readonly [number, number]): number {
  const [aHits, aMisses, bHits, bMisses] = [1 + a[0], 1 + a[1] - a[0], 1 + b[0], 1 + b[1] - b[0]]
  let sum = 0
  for (let i = 0; i < bHits; i++)
    sum += Math.exp(
      logBeta(aHits + i, aMisses + bMisses) -
        Math.log(bMisses + i) -
        logBeta(1 + i, bMisses) -
        logBeta(aHits, aMisses),
    )
  return sum
}

const best = (...rates: Array<readonly [number, number]>): number[] =>
  probabilitiesOfBest(rates.map(([reacted, people]) => ({ reacted, people })))

describe('the probability to be the best', () => {
  test.each([
    [0, 0, 0, 0, 0.5],
    [0, 1, 1, 1, 5 / 6],
    [40, 1_000, 55, 1_000, 0.94189],
    [400, 10_000, 480, 10_000, 0.99709],
    [1_000, 1_000, 998, 1_000, 0.12481],
    [30, 60, 1, 2, 0.5],
  ])('%i of %i against %i of %i', (a, ofA, b, ofB, chance) => {
    expect(best([a, ofA], [b, ofB])[1]).toBeCloseTo(chance, 3)
  })

  const rate = fc
    .tuple(fc.integer({ min: 0, max: 4_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([people, part]) => [Math.floor(people * part), people] as const)

  test('is for two what the sum says that there is for two', () => {
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        expect(Math.abs(best(a, b)[1]! - exactly(a, b))).toBeLessThan(0.002)
      }),
    )
  })

  test('adds up to 1, does not depend on the order, and is shared by those who are alike', () => {
    fc.assert(
      fc.property(fc.array(rate, { minLength: 2, maxLength: maxVariants }), rates => {
        const chances = best(...rates)
        expect(chances.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
        expect(chances.every(chance => chance >= 0 && chance <= 1)).toBeTrue()
        const turned = best(...rates.toReversed()).toReversed()
        for (const [each, chance] of chances.entries()) expect(turned[each]).toBeCloseTo(chance, 9)
      }),
      { numRuns: 50 },
    )
    for (const chance of best(...Array.from({ length: 5 }, () => [20, 400] as const)))
      expect(chance).toBeCloseTo(0.2, 9)
  })

  test('for three: the one far behind changes nothing for the other two', () => {
    const [, second] = best([400, 10_000], [440, 10_000])
    const [, ofThree, last] = best([400, 10_000], [440, 10_000], [100, 10_000])
    expect(ofThree).toBeCloseTo(second!, 5)
    expect(last).toBeLessThan(1e-9)
  })

  test('bears figures of any size', () => {
    expect(best([0, 0], [5_000_000, 100_000_000])[0]).toBeCloseTo(0.95, 3)
    expect(best([3_000_000, 50_000_000], [3_020_000, 50_000_000])[1]).toBeGreaterThan(0.999)
    expect(best([0, 10_000_000], [10_000_000, 10_000_000])).toEqual([0, 1])
  })
})

describe('a winner', () => {
  const figures = (sent: number, opened: number, clicked: number): AbFigures => ({
    ...{ sent, opened, clicked, unsubscribed: 0 },
  })

  test('is the best one by what the test is about', () => {
    const variants = [figures(1_000, 300, 40), figures(1_000, 200, 80)]
    expect(winnerOf(judged('CLICKS', variants), 95)).toBe(1)
    expect(winnerOf(judged('OPENS', variants), 95)).toBe(0)
  })

  test.each([
    ['nobody was written to', [figures(0, 0, 0), figures(0, 0, 0)]],
    ['nobody reacted', [figures(500, 0, 0), figures(500, 0, 0)]],
    ['both are alike', [figures(500, 100, 20), figures(500, 100, 20)]],
    ['the difference may be chance', [figures(500, 100, 20), figures(500, 100, 27)]],
  ])('there is none where %s', (_, variants) => {
    expect(winnerOf(judged('CLICKS', variants), 95)).toBeUndefined()
  })

  test('is as sure as its author wishes', () => {
    const variants = judged('CLICKS', [figures(1_000, 0, 40), figures(1_000, 0, 55)])
    expect(variants[1]!.probability).toBeCloseTo(0.9419, 3)
    expect([50, 94, 94.5, 95, 99].map(confidence => winnerOf(variants, confidence))).toEqual([
      1,
      1,
      ...[undefined, undefined, undefined],
    ])
  })

  test('a report that comes before what it is about breaks nothing', () => {
    expect(judged('CLICKS', [figures(0, 0, 1), figures(0, 0, 0)])[0]!.probability).toBeCloseTo(2 / 3, 3)
  })
})

describe('who gets which variant', () => {
  const uuid = fc.uuid()

  test('one of them or none, always the same, and about as many each as the share says', () => {
    fc.assert(
      fc.property(
        uuid,
        fc.integer({ min: 2, max: maxVariants }),
        fc.integer({ min: 1, max: 100 }),
        (campaignId, variants, share) => {
          const total = 2_000
          const sizes = Array.from({ length: variants }, () => 0)
          for (let n = 0; n < total; n++) {
            const contactId = `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
            const split = { ends: evenEnds({ variants, share }) }
            const number = triedOn(split, campaignId, contactId)
            expect(triedOn(split, campaignId, contactId)).toBe(number)
            if (number !== undefined) sizes[number]! += 1
          }
          const expected = (total * share) / 100 / variants
          // Six standard deviations: once in five hundred million.
          for (const size of sizes)
            expect(Math.abs(size - expected)).toBeLessThanOrEqual(6 * Math.sqrt(expected) + 1)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('a larger share leaves nobody out who was in it, and another campaign asks others', () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `contact-${n}`)
    const tried = (campaign: string, share: number) =>
      ids.filter(id => triedOn({ ends: evenEnds({ variants: 2, share }) }, campaign, id) !== undefined)
    expect(tried('one', 100)).toHaveLength(1_000)
    expect(new Set(tried('one', 60)).isSupersetOf(new Set(tried('one', 30)))).toBeTrue()
    const both = new Set(tried('one', 30)).intersection(new Set(tried('two', 30)))
    expect(both.size).toBeLessThan(150)
  })

  test('exactly as many as the share says, in parts that differ by one at most, and nobody is left out while there are enough', () => {
    const place = fc.integer({ min: 0, max: allPlaces - 1 })
    fc.assert(
      fc.property(
        fc.uniqueArray(place, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: maxVariants }),
        fc.integer({ min: 1, max: 100 }),
        (unsorted, variants, share) => {
          const places = unsorted.toSorted((a, b) => a - b)
          const plan = { variants, share }
          const ends = countedEnds(plan, places)
          const sizes = ends.map(
            (end, number) => places.filter(at => at < end && at >= (ends[number - 1] ?? 0)).length,
          )
          const tested = sizes.reduce((sum, size) => sum + size, 0)
          const isEnough = tooFewFor(plan, places.length) === undefined
          expect(tested).toBe(isEnough ? testedOf(plan, places.length) : Math.min(variants, places.length))
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
          if (isEnough) expect(Math.min(...sizes)).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('with too few recipients it is said from which share on each variant gets somebody', () => {
    expect(tooFewFor({ variants: 2, share: 20 }, 4)).toContain('use 38 or more')
    expect(tooFewFor({ variants: 2, share: 38 }, 4)).toBeUndefined()
    expect(tooFewFor({ variants: 2, share: 37 }, 4)).toBeDefined()
    expect(tooFewFor({ variants: 3, share: 100 }, 2)).toContain('2 recipients are fewer than the 3 variants')
  })
})

/** Numbers in [0, 1), the same in each run (xorshift). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** How many of `people` react, by skipping from one who does to the next. */
function sample(random: () => number, rate: number, people: number): number {
  let [reacted, at] = [0, 0]
  for (;;) {
    at += 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - rate))
    if (at > people) return reacted
    reacted++
  }
}

interface Simulated {
  named: number
  right: number
  /** The mean of what was said of the winners. */
  said: number
}

function simulate(
  tests: number,
  seed: number,
  people: number,
  confidence: number,
  rates: (random: () => number) => number[],
): Simulated {
  const random = seeded(seed)
  const sum: Simulated = { named: 0, right: 0, said: 0 }
  for (let n = 0; n < tests; n++) {
    const known = rates(random)
    const variants = judged(
      'CLICKS',
      known.map(rate => ({
        sent: people,
        opened: 0,
        clicked: sample(random, rate, people),
        unsubscribed: 0,
      })),
    )
    const winner = winnerOf(variants, confidence)
    if (winner === undefined) continue
    sum.named++
    sum.said += variants[winner]!.probability
    if (known[winner] === Math.max(...known)) sum.right++
  }
  return { ...sum, said: sum.said / sum.named }
}

describe('of 10,000 simulated tests', () => {
  test.each([
    ['4 % against 5 %, 2,000 each', 2_000, 2_000, 95, [0.04, 0.05], 0.4],
    ['3 % against 4.5 %, 1,000 each, at 90 %', 2_000, 1_000, 90, [0.03, 0.045], 0.6],
    ['five variants, one of them better', 1_000, 3_000, 95, [0.04, 0.04, 0.055, 0.04, 0.04], 0.5],
  ])('%s: at least the promised share of winners is right', (_, tests, people, confidence, rates, named) => {
    const seen = simulate(tests, 42, people, confidence, () => rates)
    expect(seen.named / tests).toBeGreaterThan(named)
    expect(seen.right / seen.named).toBeGreaterThan(confidence / 100)
  })

  test('whatever the rates, a probability is what it says', () => {
    const seen = simulate(3_000, 7, 500, 95, random => [0.02 + 0.06 * random(), 0.02 + 0.06 * random()])
    expect(seen.right / seen.named).toBeGreaterThan(0.95)
    expect(Math.abs(seen.right / seen.named - seen.said)).toBeLessThan(0.02)
  })

  test('without a difference, nine in ten have no winner', () => {
    const seen = simulate(2_000, 3, 1_000, 95, () => [0.04, 0.04])
    expect(seen.named / 2_000).toBeLessThan(0.12)
  })
})
