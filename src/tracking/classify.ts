// Person or program: decided for all hits on a message together, once it has been quiet for a moment, because the pattern gives a scanner
// away, not a single hit. A rule can only find that a hit was a program's; a hit that no rule catches counts as a person's. Pure.
import { after, minute, second } from '../lib/time'
import { isKnownMachine, isPrefetch } from './agents'

/** `trap` is the link that no person sees; `probe` asks what is there without fetching it (HEAD), and is never counted. */
export const hitKinds = ['open', 'click', 'trap', 'probe'] as const
export type HitKind = (typeof hitKinds)[number]

export interface Hit {
  kind: HitKind
  /** Where the link leads; empty for the other kinds. */
  link: string
  at: Date
  /** Address and user agent, hashed. */
  client: string
  userAgent: string
}

/** Clients identified as programs earlier. An empty client means everybody: a scan may come from many addresses. */
export interface Suspect {
  client: string
  until: Date
}

export type Reason = 'agent' | 'early' | 'walk' | 'probe' | 'burst'

/** `reason`: why it counts as a program's hit; undefined for a person's. */
export type ClassifiedHit<T extends Hit> = T & { kind: 'open' | 'click'; reason: Reason | undefined }

/** Nobody reads a message and follows its link within this time of its arrival; gateways do so before they let the message pass. */
export const earlyMs = 3 * second
/** Every hit within this time of one on the hidden link belongs to the scan. */
export const walkMs = 30 * second
/** A client identified as a program stays one for this long. */
export const suspectMs = 30 * minute
/** No person follows this many different links in so short a time. */
export const burstLinks = 3
export const burstMs = 2 * second

/** `arrivedAt`: when the message was delivered, or handed over where nobody reports that; null before. */
export function classifyHits<T extends Hit>(
  hits: readonly T[],
  arrivedAt: Date | null,
  suspects: readonly Suspect[] = [],
): { judged: ClassifiedHit<T>[]; found: Suspect[] } {
  const bursts = burstsOf(hits)
  const caught = hits.filter(hit => hit.kind === 'trap' || hit.kind === 'probe' || bursts.has(hit))
  const traps = distinctTimes(hits.filter(hit => hit.kind === 'trap'))
  const probing = new Set(hits.filter(hit => hit.kind === 'probe').map(hit => hit.client))
  const found = distinct([...caught.map(clientOf), ...traps.map(walkAround)])
  const all = [...suspects, ...caught.map(clientOf)]
  const reasonOf = (hit: Hit): Reason | undefined => {
    if (isKnownMachine(hit.userAgent) || (hit.kind === 'open' && isPrefetch(hit.userAgent))) return 'agent'
    if (arrivedAt === null || hit.at < after(arrivedAt, earlyMs)) return 'early'
    if (traps.some(at => Math.abs(at - hit.at.getTime()) <= walkMs)) return 'walk'
    if (probing.has(hit.client)) return 'probe'
    if (bursts.has(hit)) return 'burst'
    const isSuspect = all.some(
      ({ client, until }) => (client === '' || client === hit.client) && hit.at <= until,
    )
    return isSuspect ? 'walk' : undefined
  }
  const judged = hits.filter(isCounted).map(hit => ({ ...hit, reason: reasonOf(hit) }))
  return { judged, found }
}

function isCounted<T extends Hit>(hit: T): hit is T & { kind: 'open' | 'click' } {
  return hit.kind === 'open' || hit.kind === 'click'
}

function isNear(one: Hit, other: Hit, ms: number): boolean {
  return Math.abs(one.at.getTime() - other.at.getTime()) <= ms
}

function clientOf({ client, at }: Hit): Suspect {
  return { client, until: after(at, suspectMs) }
}

/** For a moment, everybody is a suspect. */
function walkAround(at: number): Suspect {
  return { client: '', until: new Date(at + walkMs) }
}

/** At most one per second: a scan may follow the hidden link often. */
function distinctTimes(hits: readonly Hit[]): number[] {
  const bySecond = new Map(hits.map(({ at }) => [Math.floor(at.getTime() / second), at.getTime()]))
  return [...bySecond.values()]
}

/** The clicks that are part of a burst, whatever addresses it came from. One pass: a scan may have thousands of hits. */
function burstsOf(hits: readonly Hit[]): Set<Hit> {
  const clicks = hits.filter(hit => hit.kind === 'click').sort((a, b) => a.at.getTime() - b.at.getTime())
  const found = new Set<Hit>()
  const inWindow = new Map<string, number>()
  const count = (link: string, change: number): void => {
    const left = (inWindow.get(link) ?? 0) + change
    if (left === 0) inWindow.delete(link)
    else inWindow.set(link, left)
  }
  let [start, marked] = [0, 0]
  clicks.forEach((click, index) => {
    count(click.link, 1)
    for (; !isNear(click, clicks[start]!, burstMs); start++) count(clicks[start]!.link, -1)
    if (inWindow.size < burstLinks) return
    for (marked = Math.max(marked, start); marked <= index; marked++) found.add(clicks[marked]!)
  })
  return found
}

/** One entry per client, lasting as long as its longest. */
function distinct(suspects: readonly Suspect[]): Suspect[] {
  const byClient = new Map<string, Suspect>()
  for (const one of suspects) {
    const known = byClient.get(one.client)
    if (!known || known.until < one.until) byClient.set(one.client, one)
  }
  return [...byClient.values()]
}
