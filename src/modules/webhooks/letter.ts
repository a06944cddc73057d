// The mail that tells members of a project that one of its endpoints was switched off. Pure.

/** The address without its query, which may hold a secret. */
export function switchedOffLetter(url: string): { subject: string; text: string } {
  const { origin, pathname } = new URL(url)
  return {
    subject: 'A webhook endpoint was switched off',
    text: [
      `No call to ${origin}${pathname} has succeeded for a day, so the endpoint was switched off.`,
      'It is told of no events until somebody switches it on again. What it has missed since then is not made up for; what failed before can be sent again from its log.',
    ].join('\n\n'),
  }
}
