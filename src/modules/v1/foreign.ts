// Members that a send has in other mail APIs (Resend, Postmark, SendGrid, Mailgun, listmonk, Loops, Brevo), and what to write here.
// The members of the schema, however they are spelt, go before these.
import type { ForeignMembers } from '../../http/foreign-members'

const use = (member: string): string => `Use "${member}".`
const noCopies = 'There are no copies: name each recipient in "to"; each gets a message of its own.'
const atOnce = 'A send leaves at once. For a later time send a campaign with "scheduledFor".'
const textIsMade = 'Leave it out: the plain-text part is made of "body".'
const inHeaders = 'Leave it out, or write what others shall read into "headers".'
const template = 'Use "template" with the id of a template.'
const tracking = 'Use "tracking": true or false.'
const listUnsubscribe = 'Leave it out: write the links {{unsubscribeUrl}} or {{manageUrl}} into "body".'

export const foreignToSend: ForeignMembers = {
  // Who gets it, and from whom.
  email: use('to'),
  recipient: use('to'),
  recipients: use('to'),
  personalizations: 'Use "to", "subject" and "data"; a send a recipient where they differ.',
  subscriberemail: use('to'),
  subscriberemails: use('to'),
  subscriberid: 'Use "to" with the address.',
  subscriberids: 'Use "to" with the addresses.',
  recipientvariables: 'Use "data"; a send a recipient where it differs.',
  cc: noCopies,
  bcc: noCopies,
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
  text: textIsMade,
  textbody: textIsMade,
  textcontent: textIsMade,
  plaintext: textIsMade,
  altbody: textIsMade,
  attachment: use('attachments'),
  inline: 'Use "attachments" with "disposition": "inline" and a "contentId".',
  files: use('attachments'),
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
  // When, how, and what is remembered of it.
  scheduledfor: atOnce,
  scheduledat: atOnce,
  sendat: atOnce,
  deliverytime: atOnce,
  odeliverytime: atOnce,
  tag: inHeaders,
  tags: inHeaders,
  otag: inHeaders,
  categories: inHeaders,
  category: inHeaders,
  metadata: inHeaders,
  customargs: inHeaders,
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
