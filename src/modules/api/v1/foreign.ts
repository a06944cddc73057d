// Members that a send has in other mail APIs (Resend, Postmark, SendGrid, Mailgun, listmonk, Loops, Brevo, nodemailer), and what to write here.
// The members of the schema, however they are spelt, take precedence over these.
import type { ForeignMembers } from '../../../http/foreign-members'

const use = (member: string): string => `Use "${member}".`
const template = 'Use "template" with the id of a template.'
const header = (name: string): string => `Use "headers": {"${name}": …}.`
const tracking = 'Use "tracking": true or false.'
const listUnsubscribe = 'Leave it out: write the links {{unsubscribeUrl}} or {{manageUrl}} into "body".'

export const foreignToSend: ForeignMembers = {
  // Who gets it, and from whom.
  email: use('to'),
  recipient: use('to'),
  recipients: use('to'),
  personalizations: 'Use "to", "subject" and "data"; one send per recipient where they differ.',
  subscriberemail: use('to'),
  subscriberemails: use('to'),
  subscriberid: 'Use "to" with the address.',
  subscriberids: 'Use "to" with the addresses.',
  recipientvariables: 'Use "data"; one send per recipient where it differs.',
  sender: use('from'),
  fromemail: use('from'),
  fromname: 'Use "from": {"name": …, "email": …}.',
  replyto: use('reply'),
  replytolist: 'Use "reply" with one address.',
  hreplyto: use('reply'),
  // What it says.
  html: use('body'),
  htmlbody: use('body'),
  htmlcontent: use('body'),
  content: use('body'),
  message: use('body'),
  react: 'Use "body" with the rendered HTML.',
  amphtml: use('body'),
  textbody: use('text'),
  textcontent: use('text'),
  plaintext: use('text'),
  altbody: use('text'),
  attachment: use('attachments'),
  inline: 'Use "attachments" with "disposition": "inline" and a "contentId".',
  files: use('attachments'),
  icalevent: 'Use "attachments" with "contentType": "text/calendar; method=REQUEST".',
  alternatives: 'Use "body", "text", and "attachments" for an invitation.',
  amp: use('body'),
  inreplyto: header('In-Reply-To'),
  references: header('References'),
  // Templates and what fills them.
  templateid: template,
  templatealias: template,
  templatename: template,
  transactionalid: template,
  templatemodel: use('data'),
  templatedata: use('data'),
  dynamictemplatedata: use('data'),
  substitutions: use('data'),
  datavariables: use('data'),
  variables: use('data'),
  params: use('data'),
  tvariables: use('data'),
  // When, how, and what is remembered about it.
  scheduledat: use('scheduledFor'),
  sendat: use('scheduledFor'),
  deliverytime: use('scheduledFor'),
  odeliverytime: use('scheduledFor'),
  tag: use('tags'),
  otag: use('tags'),
  categories: use('tags'),
  category: use('tags'),
  customargs: use('metadata'),
  trackopens: tracking,
  tracklinks: tracking,
  trackingsettings: tracking,
  otracking: tracking,
  otrackingopens: tracking,
  otrackingclicks: tracking,
  asm: listUnsubscribe,
  addtoaudience: 'Use "subscribed": true.',
  idempotencykey: 'Send the header Idempotency-Key.',
}
