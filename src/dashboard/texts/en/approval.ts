// Approval by a second member, and what roles without the right to send see in place of a button.
import { count } from './numbers'

export const approval = {
  notYou: 'Your role can’t send. Ask someone who can: the owner, an admin, or a member.',
  someone: 'a former member',
  request: 'Request approval',
  requested: 'Approval requested',
  hint: 'Another member who can send approves the campaign as it is now. Any change ends the approval.',
  requestedBy: (email: string, when: string) => `${email} requested approval on ${when}.`,
  requestedByYou: (when: string) => `You requested approval on ${when}. Another member who can send decides.`,
  covers: (recipients: number, when: string | null) =>
    `For ${count(recipients, { one: '# recipient', other: '# recipients' })}, ${when ? `sent on ${when}` : 'sent now'}.`,
  approve: 'Approve',
  approved: 'Campaign approved',
  approvedBy: (email: string, when: string) => `Approved by ${email} on ${when}.`,
  approvedFor: (email: string, when: string | null) =>
    `Approved by ${email} to be sent ${when ? `on ${when}` : 'now'}. For another send time, request approval again.`,
  chooseApproved: (when: string | null) => (when ? 'Use the approved time' : 'Choose “now”'),
  older: 'The campaign, its layout, or the brand changed after you opened this page.',
  showNew: 'Show the new version',
  proveFirst: 'To approve, confirm your email address in your profile first.',
  decline: 'Decline',
  declined: 'Campaign declined',
  declineTitle: 'Decline this campaign?',
  declineHint: 'It stays a draft. Your reason is shown on the campaign’s page.',
  reason: 'Reason',
  declinedBy: (email: string) => `Declined by ${email}.`,
  ended: (fault: string) =>
    fault === 'moreRecipients'
      ? 'The approval ended because the audience grew. Request it again.'
      : fault === 'otherTime'
        ? 'The approval was for another send time. Request it again.'
        : 'The approval ended because the campaign, its layout, the brand, or a segment changed. Request it again.',
  waits: (name: string) => `“${name}” needs approval`,
  waitsHint: (email: string) => `Requested by ${email}.`,
  review: 'Review',
  rule: {
    title: 'Approval before sending',
    hint: 'A second member approves every campaign, including those of owners and the API. You can’t approve your own request.',
    on: 'Required',
    off: 'Not required',
    turnOn: 'Require approval',
    turnOff: 'Turn off',
    ownerOnly: 'Only the owner can turn this off.',
    tooFew: 'Invite a second member who can send to turn this on.',
  },
}
