// Several transports as one: each message goes by the first that is for it and works.
import type { Clock } from '../../../lib/time'
import type { WayEntry } from '../../../settings/transport-list'
import type { Transport } from '../transport'
import { type MailFacts, matcherOf } from './conditions'
import { type Cooling, makeCooling } from './cooling'

/** One transport of the list, as this process has found it. */
export interface MailWay extends Cooling {
  readonly entry: WayEntry
  readonly transport: Transport
  /** Messages a second that may leave by it; undefined: as many as it takes. */
  rate(): Promise<number | undefined>
}

export interface Ways {
  /** In the order of the list. */
  readonly all: readonly MailWay[]
  /** Those that the message may take, the preferred one first; at least one. */
  for(facts: MailFacts): readonly MailWay[]
}

type MatchedWay = MailWay & { matches: ReturnType<typeof matcherOf> }

export interface SeveralTransports extends Transport {
  readonly ways: Ways
  /**
   * Takes another list. An entry that is unchanged keeps its connections and what was found out about it; `make` makes the others. What an
   * old transport is sending ends as usual.
   */
  replace(entries: readonly WayEntry[], make: (entry: WayEntry) => Transport): Promise<void>
}

/** There must be one without conditions among them. */
export function severalTransports(
  list: ReadonlyArray<{ entry: WayEntry; transport: Transport }>,
  clock: Clock,
): SeveralTransports {
  const makeWay = (entry: WayEntry, transport: Transport): MatchedWay => ({
    ...makeCooling(clock),
    entry,
    transport,
    matches: matcherOf(entry),
    rate: async () => entry.rate ?? (await transport.currentRate?.()),
  })
  let all = list.map(({ entry, transport }) => makeWay(entry, transport))
  const ways: Ways = {
    get all() {
      return all
    },
    for: facts => all.filter(({ matches }) => matches(facts)),
  }
  const identities = list.find(({ transport }) => transport.identities)?.transport.identities
  return {
    name: 'several',
    signsItself: list.some(({ transport }) => transport.signsItself),
    ...(identities ? { identities } : {}),
    ways,
    async replace(entries, make) {
      const before = all
      const kept = (entry: WayEntry): MatchedWay | undefined =>
        before.find(way => Bun.deepEquals(way.entry, entry))
      all = entries.map(entry => kept(entry) ?? makeWay(entry, make(entry)))
      await Promise.all(before.filter(way => !all.includes(way)).map(({ transport }) => transport.close()))
    },
    send: message => {
      const { id, envelope } = message
      return ways.for({ id, kind: 'instance', ...envelope })[0]!.transport.send(message)
    },
    verify: async () => (await Promise.all(all.map(({ transport }) => transport.verify()))).join('; '),
    close: async () => void (await Promise.all(all.map(({ transport }) => transport.close()))),
  }
}
