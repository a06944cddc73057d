// Several transports as one: each message goes by the first that is for it and works.
import type { Clock } from '../../../lib/time'
import type { TransportEntry } from '../../../settings/transport-list'
import type { Transport } from '../transport'
import { type MailFacts, matcherOf } from './conditions'
import { type Cooling, makeCooling } from './cooling'

/** One transport of the list, as this process has found it. */
export interface MailRoute extends Cooling {
  readonly entry: TransportEntry
  readonly transport: Transport
  /** Messages a second that may leave by it; undefined: as many as it takes. */
  rate(): Promise<number | undefined>
}

export interface Routes {
  /** In the order of the list. */
  readonly all: readonly MailRoute[]
  /** Those that the message may take, the preferred one first; at least one. */
  for(facts: MailFacts): readonly MailRoute[]
}

type MatchedRoute = MailRoute & { matches: ReturnType<typeof matcherOf> }

export interface SeveralTransports extends Transport {
  readonly routes: Routes
  /**
   * Takes another list. An entry that is unchanged keeps its connections and what was found out about it; `make` makes the others. What an
   * old transport is sending ends as usual.
   */
  replace(entries: readonly TransportEntry[], make: (entry: TransportEntry) => Transport): Promise<void>
}

/** There must be one without conditions among them. */
export function severalTransports(
  list: ReadonlyArray<{ entry: TransportEntry; transport: Transport }>,
  clock: Clock,
): SeveralTransports {
  const makeRoute = (entry: TransportEntry, transport: Transport): MatchedRoute => ({
    ...makeCooling(clock),
    entry,
    transport,
    matches: matcherOf(entry),
    rate: async () => entry.rate ?? (await transport.currentRate?.()),
  })
  let all = list.map(({ entry, transport }) => makeRoute(entry, transport))
  const routes: Routes = {
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
    routes,
    async replace(entries, make) {
      const before = all
      const kept = (entry: TransportEntry): MatchedRoute | undefined =>
        before.find(route => Bun.deepEquals(route.entry, entry))
      all = entries.map(entry => kept(entry) ?? makeRoute(entry, make(entry)))
      await Promise.all(
        before.filter(route => !all.includes(route)).map(({ transport }) => transport.close()),
      )
    },
    send: message => {
      const { id, envelope } = message
      return routes.for({ id, kind: 'instance', ...envelope })[0]!.transport.send(message)
    },
    verify: async () => (await Promise.all(all.map(({ transport }) => transport.verify()))).join('; '),
    close: async () => void (await Promise.all(all.map(({ transport }) => transport.close()))),
  }
}
