// Who receives the mail of a domain, as far as its name says: the large providers take it for many domains and judge a sender by all of it.
// Pure.

const families: ReadonlyArray<readonly [receiver: string, domains: RegExp]> = [
  ['gmail', /^(?:gmail|googlemail)\.com$/],
  ['outlook', /^(?:outlook|hotmail|live|msn)\.[a-z.]{2,6}$/],
  ['yahoo', /^(?:yahoo\.[a-z.]{2,6}|(?:ymail|rocketmail|aol|aim)\.com)$/],
]

export const receiverNames: readonly string[] = families.map(([receiver]) => receiver)

/** `gmail`, `outlook` or `yahoo` for the domains of those; undefined for all others. `domain` is in its canonical spelling. */
export function receiverOf(domain: string): string | undefined {
  return families.find(([, domains]) => domains.test(domain))?.[0]
}
