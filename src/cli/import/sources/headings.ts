// What the headings of a table say about consent, and what they may say although nobody has said so. Pure.

/** Names of columns that are about consent and not fields. */
export const consentNames = ['subscribed', 'optedOutAt', 'suppressed'] as const

const telling: ReadonlyArray<readonly [(typeof consentNames)[number], RegExp]> = [
  ['suppressed', /bounce|black ?list|block|complain|spam|suppress|abuse/],
  ['optedOutAt', /unsub|opt(ed)? ?out/],
  ['subscribed', /^(status|state)$|subscri|confirmed|consent|opt(ed)? ?in/],
]

/** Sentences for the report: that nobody was asked, and columns that may say who said no and are taken as fields. */
export function headingNotes(
  headings: readonly string[],
  columns: readonly string[],
  isMapped: (heading: string) => boolean,
): string[] {
  const isAsked = consentNames.some(name => columns.includes(name))
  const nobodyAsked = 'No column says who is subscribed: every new contact is subscribed.'
  const untold = headings.flatMap((heading, index) => {
    const word = heading.toLowerCase().replaceAll('_', ' ').replaceAll('-', ' ')
    const name = telling.find(([, pattern]) => pattern.test(word))?.[0]
    if (!name || isMapped(heading) || columns[index] !== heading) return []
    return [
      `The column "${heading}" is taken as a field. If it says who gets no email: --map "${heading}=${name}"`,
    ]
  })
  return [...(isAsked ? [] : [nobodyAsked]), ...untold]
}
