// What a dry run has to remember. It rolls each batch back, so a later record about the same address would meet a contact that does not
// reflect the earlier one. Earlier records are applied again first, in the same transaction. Keeping them for all of a large source would
// take its size in memory, so the source is read once beforehand, to find the addresses that occur more than once.
import { type ContactEntry, importWaves, mergeEntries } from '../../modules/audience/contacts'
import { type Context, inTransaction } from '../../platform/context'
import type { ImportSource, SaidOfTopic } from './record'

/** 53 bits: a few dozen bytes each in a set, so that millions fit. */
export function addressHash(email: string): number {
  return Number(BigInt.asUintN(53, Bun.hash.xxHash64(email)))
}

/** Hashes of the addresses that a source names more than once. `emailOf` gives the stored spelling. */
export async function findRepeated(
  source: ImportSource,
  emailOf: (email: string) => string,
): Promise<ReadonlySet<number>> {
  const [seen, repeated] = [new Set<number>(), new Set<number>()]
  for await (const { email } of source.read()) {
    const hash = addressHash(emailOf(email))
    if (seen.has(hash)) repeated.add(hash)
    else seen.add(hash)
  }
  return repeated
}

interface Past<S> {
  entries: ContactEntry[]
  suppressions: S[]
  topics: SaidOfTopic[]
}

interface Rehearsed<S> extends Omit<Past<S>, 'topics'> {
  /** By address. */
  topics: Map<string, SaidOfTopic[]>
}

export interface Rehearsal<S> {
  /** Earlier records about these addresses, in an order in which they may be applied at once. */
  before(emails: readonly string[]): Rehearsed<S>
  add(email: string, entry: ContactEntry, suppression: S | undefined, topics: readonly SaidOfTopic[]): void
}

export function makeRehearsal<S extends { reason: string }>(
  projectId: string,
  repeated: ReadonlySet<number>,
): Rehearsal<S> {
  const past = new Map<string, Past<S>>()
  return {
    before(emails) {
      const asked = [...new Set(emails)]
      const found = asked.flatMap(email => past.get(email) ?? [])
      return {
        topics: new Map(asked.flatMap(email => (past.has(email) ? [[email, past.get(email)!.topics]] : []))),
        entries: found.flatMap(({ entries }) => entries),
        suppressions: found.flatMap(({ suppressions }) => suppressions),
      }
    },
    add(email, entry, suppression, topics) {
      if (!repeated.has(addressHash(email))) return
      const before = past.get(email) ?? { entries: [], suppressions: [], topics: [] }
      const { entries, suppressions } = before
      past.set(email, {
        entries: shorten(projectId, [...entries, entry]),
        suppressions: graver(suppressions[0], suppression),
        topics: together([...before.topics, ...topics]),
      })
    },
  }
}

/** The last word about each. */
function together(topics: readonly SaidOfTopic[]): SaidOfTopic[] {
  return [...new Map(topics.map(said => [said.name, said])).values()]
}

/** As the statement decides it: only a complaint outweighs a bounce. */
function graver<S extends { reason: string }>(first: S | undefined, second: S | undefined): S[] {
  const kept = first?.reason === 'bounce' && second?.reason === 'complaint' ? second : (first ?? second)
  return kept ? [kept] : []
}

/** The same outcome in as few entries as there are steps: an address may come a million times. */
function shorten(projectId: string, entries: readonly ContactEntry[]): ContactEntry[] {
  return importWaves(entries).flatMap(wave => {
    const asked = wave.map(({ entry }) => ({ defaultSubscribed: true, ...entry, projectId }))
    return [...mergeEntries(asked).values()].map(
      ({ email, patch, subscribed, defaultSubscribed, optedOutAt, keepsSnoozes, origin }) => ({
        email,
        patch,
        defaultSubscribed,
        optedOutAt,
        keepsSnoozes,
        origin,
        subscribed: subscribed ?? undefined,
      }),
    )
  })
}

class TakenBack<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run')
  }
}

/** One transaction, of which a dry run keeps nothing but the result. */
export async function keepOrTakeBack<T>(
  ctx: Context,
  isDryRun: boolean,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  if (!isDryRun) return await inTransaction(ctx, work)
  try {
    return await inTransaction(ctx, async tx => {
      throw new TakenBack(await work(tx))
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
    return error.result as T
  }
}
