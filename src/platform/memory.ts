// Keeps the process small while it works. The engine sizes its heap by the memory of the machine: a campaign leaves a hundred megabytes
// of garbage a second behind, and on a machine with much memory it would wait for half a gigabyte of it. Collecting as soon as some
// has gathered costs no throughput.
import { edenGC } from 'bun:jsc'
import type { Context } from './context'
import { liveThreads } from './workers/pool'

export interface MemoryMeter {
  /** Bytes resident at the moment. */
  resident(): number
  /** Collects garbage, and returns how many bytes of the heap are in use then. */
  collect(): number
  /** Milliseconds, for distances only. */
  now(): number
  /** Threads with heaps of their own, which are in what is resident too. */
  threads(): number
}

const megabyte = 1024 * 1024
/** Below this nothing is done: an idle instance has half of it. With 150 a campaign spends 6 % of its time on collecting. */
const unnoticed = 175 * megabyte
/** The program itself, and what is taken outside its heap. */
const overhead = 90 * megabyte
/** At most this share of the time goes into collecting: memory that is really in use can't be collected away. */
const maxShare = 0.25
/** One collection may take long because others have the processor; that is no reason to let garbage gather. */
const maxRestMs = 250
/**
 * Where no more than this has gathered since the last collection, the next one would find little: what the allocator keeps for later.
 * A collection takes as long for a little as for much (8 instead of 24: 15 % of the time of a campaign at 1,500 messages a second).
 */
const worthwhile = 24 * megabyte
const maxWaitMs = 10_000

function ofThisProcess(isWaitedFor: () => boolean): MemoryMeter {
  return {
    resident: () => process.memoryUsage.rss(),
    collect: youngFirst(
      inUseAfter(edenGC),
      inUseAfter(() => Bun.gc(true)),
      isWaitedFor,
    ),
    now: () => performance.now(),
    threads: liveThreads,
  }
}

function inUseAfter(collect: () => unknown): () => number {
  return () => {
    collect()
    return process.memoryUsage().heapUsed
  }
}

/**
 * Collects what is young: 5 ms, where everything takes 40, in which nobody is answered (the 99th percentile of `/v1/send` is a sixth shorter).
 * What has grown old meanwhile goes with everything else, once half as much again is in use as after the last time, or three times as much while
 * requests come steadily: beside a campaign that is every several seconds instead of every one, and in such a moment nobody is answered for 60 ms.
 * Both return the bytes that are in use after them.
 */
export function youngFirst(
  young: () => number,
  all: () => number,
  isWaitedFor: () => boolean = () => false,
): () => number {
  let inUse = 0
  return () => {
    const left = inUse === 0 ? Number.POSITIVE_INFINITY : young()
    if (left <= (isWaitedFor() ? 3 : 1.5) * inUse) return left
    inUse = all()
    return inUse
  }
}

/** Returns a function to be called often, which returns the bytes that were resident. */
export function makeCollecting(meter: MemoryMeter): () => number {
  // The first look always collects: the start leaves twenty megabytes of garbage, and an idle process would keep them.
  let limit = 0
  let least = 0
  let notBefore = Number.NEGATIVE_INFINITY
  let notLaterThan = Number.NEGATIVE_INFINITY
  return () => {
    const resident = meter.resident()
    // What is resident is theirs then, and collecting ours in vain holds up everybody: the engine collects by its own measure.
    if (meter.threads() > 0) return resident
    least = Math.min(least, resident)
    if (resident < limit) return resident
    const began = meter.now()
    if (began < notBefore || (resident < least + worthwhile && began < notLaterThan)) return resident
    const inUse = meter.collect()
    const ended = meter.now()
    least = meter.resident()
    notBefore = ended + Math.min((ended - began) / maxShare, maxRestMs)
    notLaterThan = ended + maxWaitMs
    // Not by what is resident: the allocator gives memory back later than it is free.
    limit = Math.max(unnoticed, overhead + 1.5 * inUse)
    return resident
  }
}

const minPauseMs = 50
const maxPauseMs = 1_000
/** Less than this between two looks is no reason for more of them. */
const growth = 2 * megabyte

/**
 * How long to wait for the next look: each costs a file of the kernel's and a wake-up, so a process that does not grow is looked at
 * less and less often. A campaign fills a hundred megabytes in the longest pause.
 */
export function nextPause(pauseMs: number, before: number, now: number): number {
  return now > before + growth ? minPauseMs : Math.min(2 * pauseMs, maxPauseMs)
}

/** Called when work begins while nobody looks. */
let onWork: () => void = () => {}
let hasWorked = false

/** Somebody begins to work, and will leave garbage behind. */
export function noteWork(): void {
  if (hasWorked) return
  hasWorked = true
  onWork()
}

/** After so long without work, giving memory back is worth its cost: some fifty milliseconds, and ten to twenty more for the next request. */
const restMs = 20_000

/**
 * From the end of the start until the returned function is called. Once nothing grows and nobody has worked since the last look, there is
 * no next one until somebody does; if nobody does for a while, all garbage is collected.
 */
export function keepSmall({ requests }: Pick<Context, 'requests'>): () => void {
  const look = makeCollecting(ofThisProcess(requests.comeSteadily))
  let pauseMs = minPauseMs
  let resident = 0
  let timer: Timer | undefined
  let rest: Timer | undefined
  const plan = (): void => {
    timer = setTimeout(next, pauseMs)
    timer.unref()
  }
  const next = (): void => {
    timer = undefined
    const before = resident
    resident = look()
    pauseMs = nextPause(pauseMs, before, resident)
    const rests = pauseMs === maxPauseMs && !hasWorked
    hasWorked = false
    if (rests) rest = setTimeout(Bun.gc, restMs, true).unref()
    else plan()
  }
  onWork = () => {
    clearTimeout(rest)
    if (timer === undefined) plan()
  }
  plan()
  return () => {
    onWork = () => {}
    clearTimeout(timer)
    clearTimeout(rest)
  }
}
