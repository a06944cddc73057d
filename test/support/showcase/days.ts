// The days of the story: mails to single people, events, letters to all, and readers who open and click.

import { day, minute, second } from '../../../src/lib/time'
import { feedbackKinds } from '../../../src/modules/sending/feedback/kinds'
import { hitRecorder } from '../../../src/modules/sending/feedback/service/record-hits'
import { enqueue } from '../../../src/platform/jobs/enqueue'
import { parse } from '../world'
import type { Story } from './story'
import type { Things } from './things'
import { campaigns, eventNames, letterBody, sender } from './words'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export async function liveThrough(story: Story, things: Things, days: number): Promise<void> {
  for (let ago = days; ago >= 0; ago--) await liveOneDay(story, things, ago)
  for (const campaign of campaigns) {
    const { daysAgo } = campaign
    if (daysAgo !== null && daysAgo >= 0) continue
    const id = await draft(story, campaign)
    if (daysAgo === null) continue
    const scheduledFor = new Date(story.clock.now().getTime() - daysAgo * day).toISOString()
    await story.call('POST', `/campaigns/${id}/send`, { scheduledFor })
  }
}

/** Weekends are quieter, and there is a little more from day to day. */
async function liveOneDay(story: Story, things: Things, ago: number): Promise<void> {
  const weekday = story.clock.now().getUTCDay()
  const busy = (weekday === 0 || weekday === 6 ? 5 : 12) + Math.floor((30 - ago) / 5)
  for (let nth = 0; nth < busy; nth++) {
    const person = things.people[(ago * 31 + nth * 17) % things.people.length]!
    await sendOne(story, things, person.email, ago * 100 + nth)
    const event = eventNames[(ago + nth) % eventNames.length]!
    await story.call(
      'POST',
      '/v1/track',
      { email: person.email, event, data: { nth: nth + 1 } },
      story.publicKey,
    )
  }
  const letter = campaigns.find(each => each.daysAgo === ago)
  const sent = letter && (await draft(story, letter))
  if (sent) await story.call('POST', `/campaigns/${sent}/send`, {})
  await story.drain()
  story.clock.advance(20 * minute)
  await read(story)
  if (sent && letter.other) {
    await story.call('POST', `/campaigns/${sent}/ab-test/winner`, { variant: 'B' })
    await story.drain()
  }
  story.clock.advance(ago === 0 ? 0 : day - 20 * minute - 6 * second)
}

async function sendOne(story: Story, things: Things, to: string, number: number): Promise<void> {
  const name = number % 4 === 0 ? 'Password reset' : 'Receipt'
  const data = { number: `F-${10_000 + number}`, amount: `€ ${(number % 90) + 9}.00` }
  await story.call('POST', '/v1/send', { to, template: things.templates[name], data })
}

async function draft(story: Story, { name, subject, other }: (typeof campaigns)[number]): Promise<string> {
  const test = other && { abTest: { variants: [other], share: 66, afterHours: 4 } }
  const content = { name, subject, body: letterBody(subject), audienceType: 'ALL', ...sender, ...test }
  return (await story.call('POST', '/campaigns', content)).body.data.id
}

/** About half of what arrived is opened, a sixth clicked, and one in a dozen is fetched by a program. */
async function read(story: Story): Promise<void> {
  const mails = await Promise.all(story.mail.sent.map(parse))
  story.mail.sent.splice(0)
  for (const [index, { html = '' }] of mails.entries()) {
    const picture = /https?:[^"'()\s]*\/t\/o\/[^"'()\s]*/.exec(html)?.[0]
    const link = /<a href="([^"]*\/t\/c\/[^"]*)" style="display:inline-block/.exec(html)?.[1]
    if (picture && index % 2 === 0) await visit(story, picture, browser)
    if (link && index % 6 === 0) await visit(story, link, browser)
    if (picture && index % 12 === 1) await visit(story, picture, 'GoogleImageProxy')
  }
  await hitRecorder(story.ctx).settled()
  story.clock.advance(6 * second)
  await enqueue(story.ctx, feedbackKinds.classify, {})
  await story.drain()
}

async function visit(story: Story, url: string, agent: string): Promise<void> {
  await story.app.handle(new Request(url.replaceAll('&amp;', '&'), { headers: { 'user-agent': agent } }))
}
