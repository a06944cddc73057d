// What a spam filter thinks of the mails that the block editor makes: none of the ten to begin with costs a point for its HTML. As a campaign
// sends them, with footer and tracking. Skipped where SpamAssassin is not installed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { renderMail } from '../../src/dashboard/editor/mail/render'
import { withSamples } from '../../src/dashboard/editor/samples'
import * as words from '../../src/dashboard/texts/en/samples'
import { campaignWorld } from '../support/campaigns'
import { pointsOf, program } from '../support/spamassassin'
import { makeWorld, type World } from '../support/world'

const { samples } = withSamples(words)

if (!program) console.log('skipped: points for mails of blocks need SpamAssassin (Debian: spamassassin)')

let world: World
const judged = new Map<string, Record<string, number>>()

beforeAll(async () => {
  if (!program) return
  world = await makeWorld({ baseUrl: 'https://mail.acme.example' })
  const raws: Uint8Array[] = []
  for (const { subject, document } of samples) {
    const campaigns = await campaignWorld(world)
    await campaigns.contacts(1, {
      data: { firstName: 'Ada', number: '4711', amount: '€ 20', resetUrl: 'https://acme.example/reset' },
    })
    await campaigns.send(await campaigns.draft({ subject, body: renderMail(document) }))
    await campaigns.drain()
    raws.push(world.mail.sent[0]!.raw)
  }
  const points = await pointsOf(raws)
  for (const [index, { name }] of samples.entries()) judged.set(name, points[index]!)
})
afterAll(() => world?.close())

/** That there is HTML at all, whatever it is, costs a thousandth. */
const least = 0.01

/** Rules about how a message is made, and not about its words or where it came from. */
const aboutHtml = /HTML|MIME|MPART|IMG|IMAGE|FONT|CSS|STYLE|HIDDEN|INVIS|TINY|OBFU|BASE64|URI|RATIO/

describe.skipIf(!program)('SpamAssassin', () => {
  test.each(samples.map(({ name }) => name))('gives %s no point for its HTML', name => {
    const points = Object.entries(judged.get(name)!)
    expect(points.length).toBeGreaterThan(0)
    expect(points.filter(([rule, score]) => aboutHtml.test(rule) && score >= least)).toEqual([])
  })
})
