// What widely used relays ask their customers to put into SPF; their own documentation is what counts. The addresses of such a host take
// mail and send none, so they say nothing about where it leaves from. Pure.

const includes: ReadonlyArray<readonly [host: RegExp, include: string]> = [
  [/(^|\.)amazonaws\.com$/, 'amazonses.com'],
  [/(^|\.)brevo\.com$/, 'spf.brevo.com'],
  [/(^|\.)fastmail\.com$/, 'spf.messagingengine.com'],
  [/(^|\.)gmail\.com$/, '_spf.google.com'],
  [/(^|\.)mailgun\.org$/, 'mailgun.org'],
  [/(^|\.)mailjet\.com$/, 'spf.mailjet.com'],
  [/(^|\.)mandrillapp\.com$/, 'spf.mandrillapp.com'],
  [/(^|\.)migadu\.com$/, 'spf.migadu.com'],
  [/(^|\.)office365\.com$/, 'spf.protection.outlook.com'],
  [/(^|\.)postmarkapp\.com$/, 'spf.mtasv.net'],
  [/(^|\.)resend\.com$/, 'amazonses.com'],
  [/(^|\.)sendgrid\.net$/, 'sendgrid.net'],
  [/(^|\.)smtp2go\.com$/, 'spf.smtp2go.com'],
  [/(^|\.)sparkpostmail\.com$/, 'sparkpostmail.com'],
]

/** The domain to include for mail that leaves by this host; undefined for a relay that is not known. */
export function includeOf(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  return includes.find(([pattern]) => pattern.test(name))?.[1]
}
