// Who receives the mail of a domain: the large providers, and all who receive for others, take it for many domains and judge a sender by all
// of it. By the name of the domain, or by the host that its MX record names. Pure.
import { getDomain } from 'tldts'

const families: ReadonlyArray<readonly [receiver: string, domains: RegExp]> = [
  ['gmail', /^(?:gmail|googlemail)\.com$/],
  ['outlook', /^(?:outlook|hotmail|live|msn)\.[a-z.]{2,6}$/],
  ['yahoo', /^(?:yahoo\.[a-z.]{2,6}|(?:ymail|rocketmail|aol|aim)\.com)$/],
]

/** Below which names the hosts are that receive for them. */
const operators: Readonly<Record<string, string>> = {
  'google.com': 'gmail',
  'googlemail.com': 'gmail',
  'outlook.com': 'outlook',
  'mx.microsoft': 'outlook',
  'yahoodns.net': 'yahoo',
}

export const receiverNames: readonly string[] = families.map(([receiver]) => receiver)

/** `gmail`, `outlook` or `yahoo` for the domains of those; undefined for all others. `domain` is in its canonical spelling. */
export function receiverOf(domain: string): string | undefined {
  return families.find(([, domains]) => domains.test(domain))?.[0]
}

/** Who runs the host of an MX record: one of the names above, or else the organisation's domain. */
export function operatorOf(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  const organisation = getDomain(name) ?? undefined
  if (organisation === undefined) return undefined
  return Object.hasOwn(operators, organisation) ? operators[organisation] : organisation
}
