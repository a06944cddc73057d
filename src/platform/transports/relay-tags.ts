// What makes a provider's webhook name the message that it is about: a header of its own that it takes off and hands back. Only for
// providers whose webhooks are expected. Pure.

export const relayNames = ['postmark', 'mailgun', 'sendgrid', 'brevo', 'mailjet', 'resend'] as const
export type RelayName = (typeof relayNames)[number]

/** The name under which a provider hands the message's id back, where it takes names. */
export const relayTag = 'waxwing'

/** Of a provider that hands all headers back and none in particular. */
export const relayHeader = 'X-Waxwing-Id'

const headersOf: Record<RelayName, (id: string) => [name: string, value: string]> = {
  postmark: id => [`X-PM-Metadata-${relayTag}`, id],
  mailgun: id => ['X-Mailgun-Variables', JSON.stringify({ [relayTag]: id })],
  sendgrid: id => ['X-SMTPAPI', JSON.stringify({ unique_args: { [relayTag]: id } })],
  brevo: id => ['X-Mailin-custom', id],
  mailjet: id => ['X-MJ-CustomID', id],
  resend: id => [relayHeader, id],
}

/** The headers with those in place of equal ones: what a caller writes there must not pass for our mark. */
export function withRelayTags(
  headers: Readonly<Record<string, string>>,
  expected: Readonly<Partial<Record<RelayName, unknown>>>,
  id: string,
): Readonly<Record<string, string>> {
  const tags = relayNames.filter(name => expected[name] !== undefined).map(name => headersOf[name](id))
  if (tags.length === 0) return headers
  const ours = new Set(tags.map(([name]) => name.toLowerCase()))
  const others = Object.entries(headers).filter(([name]) => !ours.has(name.toLowerCase()))
  return Object.fromEntries([...others, ...tags])
}
