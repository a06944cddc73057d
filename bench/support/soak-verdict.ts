// What a run of bench/soak.ts showed: how long the tenants that behave waited in calm and in storm, what was lost, memory, event loop.
import { type Route, routes, type Slice } from './soak-tenants'

export interface Turn {
  kind: 'calm' | 'storm'
  slice: Slice
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** Memory of the program, at the end of the turn. */
  megabytes: number
  /** How many processors each part took. */
  used: readonly number[]
  /** Load of the machine. */
  load: number
}

export interface SoakEvidence {
  turns: readonly Turn[]
  /** Recipients of the messages that were accepted, and of those that arrived. */
  accepted: ReadonlySet<string>
  arrived: readonly string[]
  loop: readonly LoopSecond[]
}

/** The longest time in a second for which the event loop was blocked, in milliseconds. */
export interface LoopSecond {
  at: number
  clock: number
  worked: number
}

const kinds = ['calm', 'storm'] as const
const maxRatio = 2
/** Nobody notices anything shorter: a ratio of two small numbers says little. */
const minMs = 50
/** What watches the program must not take it for dead. */
const maxHealthMs = 250
const maxGrowthMegabytes = 50

/** Prints the figures; returns what is wrong with them. */
export function judgeSoak(evidence: SoakEvidence): string[] {
  return [
    ...routes.flatMap(route => judgeTimes(evidence, route)),
    ...judgeFaults(evidence),
    ...judgeMessages(evidence),
    ...judgeMemory(evidence),
    ...showLoop(evidence),
  ]
}

function judgeTimes({ turns }: SoakEvidence, route: Route): string[] {
  const [calm, storm] = kinds.map(kind => {
    const times = turns.filter(turn => turn.kind === kind).flatMap(({ slice }) => slice.times[route])
    const sorted = times.sort((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
    return { p50: at(0.5), p99: at(0.99), worst: sorted.at(-1) ?? 0, count: sorted.length }
  })
  for (const [kind, { p50, p99, worst, count }] of [
    ['calm', calm!],
    ['storm', storm!],
  ] as const)
    console.log(
      `${route} in ${kind}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(0)} ms of ${count}`,
    )
  if (route === 'health' && storm!.worst > maxHealthMs) return [`/health took ${storm!.worst.toFixed(0)} ms`]
  const ratio = storm!.p99 / calm!.p99
  console.log(`${route}: p99 in storm is ${ratio.toFixed(2)} of that in calm`)
  return ratio > maxRatio && storm!.p99 > minMs
    ? [`the p99 of ${route} is ${ratio.toFixed(2)} times as long`]
    : []
}

function judgeFaults({ turns }: SoakEvidence): string[] {
  return turns.flatMap(({ kind, slice }) =>
    [...slice.faults].map(([what, count]) => `${count} times ${what} in ${kind}, for tenants that behave`),
  )
}

function judgeMessages({ accepted, arrived }: SoakEvidence): string[] {
  const counts = new Map<string, number>()
  for (const to of arrived) if (accepted.has(to)) counts.set(to, (counts.get(to) ?? 0) + 1)
  const doubles = [...counts.values()].filter(count => count > 1).length
  const lost = accepted.size - counts.size
  console.log(`messages: ${accepted.size} accepted, ${counts.size} arrived, ${doubles} of them twice`)
  return [
    ...(lost > 0 ? [`${lost} accepted messages did not arrive`] : []),
    ...(doubles > 0 ? [`${doubles} arrived twice`] : []),
  ]
}

/** The first storm loads and compiles; what comes after it must not grow. */
function judgeMemory({ turns }: SoakEvidence): string[] {
  const storms = turns.filter(({ kind }) => kind === 'storm').map(({ megabytes }) => megabytes)
  const calms = turns.filter(({ kind }) => kind === 'calm').map(({ megabytes }) => megabytes)
  const show = (all: number[]): string => all.map(each => each.toFixed(0)).join(', ')
  console.log(`memory after calm: ${show(calms)} MB; after storm: ${show(storms)} MB`)
  const half = (all: number[], isLater: boolean): number =>
    median(isLater ? all.slice(Math.ceil(all.length / 2)) : all.slice(0, Math.ceil(all.length / 2)))
  const growth = storms.length < 4 ? 0 : half(storms, true) - half(storms, false)
  return growth > maxGrowthMegabytes ? [`memory grew by ${growth.toFixed(0)} MB between the halves`] : []
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}

/** This is not judged: the machine has other work, and what counts is how long the tenants waited. */
function showLoop({ turns, loop }: SoakEvidence): string[] {
  for (const kind of kinds) {
    const { clock, worked } = longestHeld(
      turns.filter(turn => turn.kind === kind),
      loop,
    )
    console.log(
      `event loop in ${kind}: held for ${clock} ms at the longest, ${worked} ms of them its own work`,
    )
  }
  return []
}

/** The longest times within those turns, for people. */
export function longestHeld(
  turns: readonly Turn[],
  loop: readonly LoopSecond[],
): { clock: string; worked: string } {
  const within = loop.filter(({ at }) => turns.some(turn => at >= turn.from && at < turn.until))
  const most = (of: 'clock' | 'worked'): string => Math.max(0, ...within.map(each => each[of])).toFixed(0)
  return { clock: most('clock'), worked: most('worked') }
}
