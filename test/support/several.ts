// Several transports in memory, which a test scripts one by one.
import type { Clock } from '../../src/lib/time'
import { type MemoryTransport, memoryTransport } from '../../src/platform/transports/memory'
import { severalTransports } from '../../src/platform/transports/several/several'
import type { Transport } from '../../src/platform/transports/transport'
import type { TransportEntry } from '../../src/settings/transport-list'
import { makeWorld, type World } from './world'

export interface SeveralWorld extends World {
  /** By their names. */
  relays: Record<string, MemoryTransport>
  /** How often each was handed something, in the order of the list. */
  attempts(): number[]
  /** The same list as a process sees it that has just started. */
  freshMail(): Transport
}

export async function makeSeveralWorld(
  entries: ReadonlyArray<Omit<TransportEntry, 'kind'>>,
): Promise<SeveralWorld> {
  const made = entries.map(given => ({
    entry: { kind: 'smtp' as const, target: `smtp://${given.name}.example`, ...given },
    transport: memoryTransport(),
  }))
  const list = (clock: Clock): Transport => severalTransports(made, clock)
  const world = await makeWorld({}, list)
  const relays = Object.fromEntries(made.map(({ entry, transport }) => [entry.name, transport]))
  // The same object: what it does looks at its own project.
  return Object.assign(world, {
    relays,
    attempts: () => made.map(({ transport }) => transport.attempts.length),
    freshMail: () => list(world.clock),
  })
}
