// Members that a contact has in other APIs (Resend, Loops, Brevo, Mailchimp, Klaviyo, listmonk, SendGrid), and what to write here. Ignored, a name or an
// opt-out would be lost with 201.
import type { ForeignMembers } from '../../../http/foreign-members'

const inData = (key: string): string => `Use "data": {"${key}": …}.`
const data = 'Use "data" with a key for each value.'

export const foreignToContact: ForeignMembers = {
  name: inData('name'),
  fullname: inData('name'),
  firstname: inData('firstName'),
  lastname: inData('lastName'),
  phone: inData('phone'),
  phonenumber: inData('phone'),
  attributes: data,
  attribs: data,
  properties: data,
  customfields: data,
  fields: data,
  mergefields: data,
  metadata: data,
  unsubscribed: 'Use "subscribed": false.',
  emailblacklisted: 'Use "subscribed": false.',
  emailaddress: 'Use "email".',
  lists: 'Add the contact to a static segment: POST /segments/:id/members.',
  listids: 'Add the contact to a static segment: POST /segments/:id/members.',
}
