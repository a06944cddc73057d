// What the headings of a table say about consent, and what they may say although no one has said so. Pure.

/** Columns that are about consent and no fields. */
export const consentColumns = ['subscribed', 'optedOutAt', 'suppressed'] as const
export type ConsentColumn = (typeof consentColumns)[number] | 'snoozedUntil'

const telling: ReadonlyArray<readonly [(typeof consentColumns)[number], RegExp]> = [
  ['suppressed', /bounce|black ?list|block|complain|spam|suppress|abuse/],
  ['optedOutAt', /unsub|opt(ed)? ?out/],
  ['subscribed', /^(status|state)$|subscri|confirmed|consent|opt(ed)? ?in/],
]

export interface UnreadHeading {
  heading: string
  /** The column that it is perhaps meant to be. */
  column: (typeof consentColumns)[number]
}

/** Headings that may say who said no, among those that are taken as fields. */
export function unreadHeadings(
  headings: readonly string[],
  isField: (heading: string, index: number) => boolean,
): UnreadHeading[] {
  return headings.flatMap((heading, index) => {
    const word = heading.toLowerCase().replaceAll('_', ' ').replaceAll('-', ' ')
    const column = telling.find(([, pattern]) => pattern.test(word))?.[0]
    return column && isField(heading, index) ? [{ heading, column }] : []
  })
}
