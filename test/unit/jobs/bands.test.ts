// Who runs next, as tables.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type BandCounts,
  freeSlots,
  nextBand,
  noBandCounts,
  sharesOf,
} from '../../../src/platform/jobs/bands'
import { bands } from '../../../src/platform/jobs/schema'

const counts = (some: Partial<BandCounts>): BandCounts => ({ ...noBandCounts(), ...some })
const plenty = counts({ transactional: 99, system: 99, workflow: 99, bulk: 99 })

describe('room for a band', () => {
  const cases: Array<[string, number, Partial<BandCounts>, BandCounts]> = [
    ['everything free', 8, {}, { transactional: 8, system: 6, workflow: 6, bulk: 4 }],
    ['bulk has filled its part', 8, { bulk: 4 }, { transactional: 4, system: 2, workflow: 2, bulk: 0 }],
    ['of many slots four serve bulk', 48, {}, { transactional: 48, system: 36, workflow: 36, bulk: 4 }],
    ['and no more', 48, { bulk: 4 }, { transactional: 44, system: 32, workflow: 32, bulk: 0 }],
    ['workflow takes from bulk', 8, { workflow: 6 }, { transactional: 2, system: 0, workflow: 0, bulk: 0 }],
    [
      'urgent mail has filled all',
      8,
      { transactional: 8 },
      { transactional: 0, system: 0, workflow: 0, bulk: 0 },
    ],
    ['a single slot serves every band', 1, {}, { transactional: 1, system: 1, workflow: 1, bulk: 1 }],
    [
      'of two slots one is for urgent mail',
      2,
      { bulk: 1 },
      { transactional: 1, system: 0, workflow: 0, bulk: 0 },
    ],
  ]
  test.each(cases)('%s', (_name, slots, running, expected) => {
    const shares = sharesOf(slots)
    for (const band of bands)
      expect([band, freeSlots(band, counts(running), shares)]).toEqual([band, expected[band]])
  })
})

test('a band with a bound of its own leaves the rest to those below it', () => {
  const shares = { ...sharesOf(8), most: { workflow: 2 } }
  const free = (running: Partial<BandCounts>) => bands.map(band => freeSlots(band, counts(running), shares))
  expect(free({})).toEqual([8, 6, 2, 5])
  expect(free({ workflow: 2 })).toEqual([6, 4, 0, 4])
  // What ran before the bound came down goes on.
  expect(free({ workflow: 5 })).toEqual([3, 1, 0, 1])
})

describe('the next band', () => {
  const cases: Array<[string, Partial<BandCounts>, Partial<BandCounts>, number, string | undefined]> = [
    ['urgent mail goes first', plenty, {}, 0, 'transactional'],
    ['then chores', { system: 1, workflow: 1, bulk: 1 }, {}, 0, 'system'],
    ['then workflows', { workflow: 1, bulk: 1 }, {}, 0, 'workflow'],
    ['nothing waits', {}, {}, 0, undefined],
    ['bulk never takes the slots kept for others', { bulk: 9 }, { bulk: 5 }, 0, undefined],
    [
      'urgent mail takes a kept slot',
      { transactional: 1, bulk: 9 },
      { bulk: 5, workflow: 1 },
      0,
      'transactional',
    ],
    ['every eighth start is the turn of a lower band', plenty, {}, 7, 'bulk'],
    ['which one changes from turn to turn', plenty, {}, 15, 'workflow'],
    ['a band that already has its share has no turn', plenty, { bulk: 1 }, 7, 'workflow'],
  ]
  test.each(cases)('%s', (_name, waiting, running, starts, expected) => {
    expect(nextBand(counts(waiting), counts(running), sharesOf(8), starts)).toBe(expected as never)
  })
})

test('whatever waits and however it ends, no ceiling is broken and a flood above starves nobody', () => {
  const flood = fc.array(fc.record({ band: fc.constantFrom(...bands), ends: fc.nat(20) }), {
    minLength: 50,
    maxLength: 300,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), flood, (slots, ends) => {
      const shares = sharesOf(slots)
      const running = noBandCounts()
      const served = noBandCounts()
      let starts = 0
      for (const end of ends) {
        for (
          let band = nextBand(plenty, running, shares, starts);
          band;
          band = nextBand(plenty, running, shares, starts)
        ) {
          running[band]++
          served[band]++
          starts++
          if (starts > 10_000) throw new Error('starts without end')
        }
        const total = bands.reduce((sum, band) => sum + running[band], 0)
        expect(total).toBeLessThanOrEqual(slots)
        expect(running.bulk).toBeLessThanOrEqual(shares.ceiling.bulk)
        // Any one that runs may end next.
        const runningBands = bands.filter(band => running[band] > 0)
        const ended = running[end.band] > 0 ? end.band : runningBands[end.ends % runningBands.length]!
        running[ended]--
      }
      if (starts >= 8 * 3 * 2 && slots >= 4) for (const band of bands) expect(served[band]).toBeGreaterThan(0)
    }),
    { numRuns: 60 },
  )
})
