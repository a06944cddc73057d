// What other programs call the state of a person in their tables: somebody said no, never confirmed, or gets no mail at all. Pure.

/** Why an address gets no mail at all, in the words of suppressions. */
export type SuppressedFor = 'bounce' | 'complaint' | 'manual'

export interface SaidState {
  subscribed: boolean
  /** Said no, and was not just never asked. */
  isOptOut?: true
  suppressed?: SuppressedFor
}

const out: SaidState = { subscribed: false, isOptOut: true }
const givenUp = (suppressed: SuppressedFor): SaidState => ({ ...out, suppressed })

const words: ReadonlyArray<readonly [SaidState, readonly string[]]> = [
  [{ subscribed: true }, ['active', 'confirmed', 'opted in', 'opt in']],
  [
    { subscribed: false },
    ['unconfirmed', 'not confirmed', 'nonsubscribed', 'non subscribed', 'not subscribed'],
  ],
  [out, ['unsubscribed', 'opted out', 'optedout', 'opt out', 'optout']],
  [givenUp('bounce'), ['bounced', 'bounce', 'hard bounced', 'hard bounce', 'hardbounce', 'cleaned']],
  [
    givenUp('complaint'),
    [
      ...['complained', 'complaint', 'spam', 'marked as spam', 'reported as spam', 'spam complaint', 'abuse'],
      'spam report',
    ],
  ],
  [
    givenUp('manual'),
    ['blocklisted', 'blocklist', 'blacklisted', 'blacklist', 'blocked', 'suppressed', 'banned'],
  ],
]

const states: ReadonlyMap<string, SaidState> = new Map(
  words.flatMap(([state, spelled]) => spelled.map(word => [word, state] as const)),
)

/** Undefined for a word that names no state. */
export function stateOfWord(text: string): SaidState | undefined {
  return states.get(text.trim().toLowerCase().replaceAll('_', ' ').replaceAll('-', ' '))
}
