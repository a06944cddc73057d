// Headers about the way of a message, and those by which relays are steered: who writes them decides who gets the mail and what others believe
// of its way. Nobody's message may bring them. Pure.

const names = new Set([
  ...['received', 'received-spf', 'authentication-results', 'apparently-to', 'delivered-to'],
  ...['x-smtpapi', 'x-msys-api', 'x-original-to', 'envelope-to', 'domainkey-signature'],
])
/** SES, Mandrill, Mailgun, Postmark; the standard's own for mail that was sent on. */
const prefixes = ['x-ses-', 'x-mc-', 'x-mailgun-', 'x-pm-', 'resent-', 'arc-']

/** Whether a header, whatever its case, is one of them. */
export function isRouteHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return names.has(lower) || prefixes.some(prefix => lower.startsWith(prefix))
}
