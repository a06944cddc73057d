// Members that a campaign has in other mail APIs (Resend's broadcasts, SendGrid, Mailgun, listmonk, Loops, Brevo) or in a send of ours,
// and what to write here.
import type { ForeignMembers } from '../../../../http/foreign-members'

const use = (member: string): string => `Use "${member}".`
const later = 'Create the campaign, then POST /campaigns/:id/send with "scheduledFor".'
const textIsMade = 'Leave it out: the plain-text part is made from "body".'
const template = 'A campaign has a "subject" and a "body" of its own: copy them from GET /templates/:id.'
const audience = 'Use "audienceType", with "segmentId" or "audienceCondition".'
const notHere = 'Leave it out: campaigns have none.'
const tracking = 'Leave it out: the project says how its campaigns are tracked.'

export const foreignToCampaign: ForeignMembers = {
  html: use('body'),
  htmlbody: use('body'),
  htmlcontent: use('body'),
  content: use('body'),
  text: textIsMade,
  textbody: textIsMade,
  textcontent: textIsMade,
  plaintext: textIsMade,
  altbody: textIsMade,
  template,
  templateid: template,
  layout: use('layoutId'),
  title: use('name'),
  sender: 'Use "from" and "fromName".',
  fromemail: use('from'),
  reply: use('replyTo'),
  scheduledfor: later,
  scheduledat: later,
  sendat: later,
  deliverytime: later,
  send: 'Create the campaign, then POST /campaigns/:id/send.',
  audience,
  audienceid: audience,
  audiencefilter: use('audienceCondition'),
  filter: use('audienceCondition'),
  condition: use('audienceCondition'),
  segment: use('segmentId'),
  segmentids: use('segmentId'),
  list: audience,
  lists: audience,
  listid: audience,
  listids: audience,
  sendto: audience,
  to: audience,
  variants: use('abTest'),
  absplit: use('abTest'),
  recipients: audience,
  cc: notHere,
  bcc: notHere,
  headers: notHere,
  attachments: notHere,
  tags: notHere,
  categories: notHere,
  metadata: notHere,
  data: "Leave it out: each recipient's own fields fill the text.",
  tracking,
  trackopens: tracking,
  trackclicks: tracking,
  tracklinks: tracking,
}

const when = use('scheduledFor')

/** For requests that start one. */
export const foreignToStart: ForeignMembers = {
  scheduledat: when,
  sendat: when,
  deliverytime: when,
  schedule: when,
  date: when,
  at: when,
}
