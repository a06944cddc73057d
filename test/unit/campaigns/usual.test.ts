// What campaigns usually reach: medians, and nothing of too few.
import { expect, test } from 'bun:test'
import { noCampaignCounts } from '../../../src/modules/features/campaigns/results/counts'
import { usualOf } from '../../../src/modules/features/campaigns/results/usual'

const sent = (opened: number, of = 100) => ({ ...noCampaignCounts(), sent: of, delivered: of, opened })

test('is the median of each rate, and nothing where fewer than three were sent', () => {
  expect(usualOf([sent(10), sent(50)])).toBeNull()
  expect(usualOf([sent(10), sent(50), sent(0, 0)])).toBeNull()
  expect(usualOf([sent(10), sent(50), sent(20)])).toMatchObject({
    campaigns: 3,
    openRate: 20,
    deliveryRate: 100,
  })
  expect(usualOf([sent(10), sent(50), sent(20), sent(31)])).toMatchObject({ campaigns: 4, openRate: 25.5 })
})
