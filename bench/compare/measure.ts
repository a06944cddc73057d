// What is measured of a program and its database server while something runs.
import type { Sql } from 'postgres'
import { second } from '../../src/lib/time'
import { cpuOf, cpuOfAll, exactCpuOf } from '../support/cpu'
import { forgetPeak, ownMegabytes, peakMegabytes, residentMegabytes } from '../support/memory'
import type { Sink } from '../support/smtp-sink'

/** The program's process, and the first one of its database server. */
export interface Processes {
  program: number
  database: number
}

/** The first process of the server that `sql` speaks to. */
export async function postmasterOf(sql: Sql): Promise<number> {
  const [{ postmaster }] = await sql<[{ postmaster: number }]>`
    select split_part(pg_read_file('postmaster.pid'), e'\n', 1)::int as postmaster`
  return postmaster
}

export interface Arrival {
  messages: number
  perSecond: number
  /** Seconds of processor time. */
  programCpu: number
  databaseCpu: number
  /** The most that the program had resident. */
  megabytes: number
  /** Of one message. */
  bytes: number
}

const limitMs = 600_000

/** From the message after `warmUp` others to the last one wanted behind them. `start` sets it going. */
export async function measureArrival(
  sink: Sink,
  { wanted, warmUp }: { wanted: number; warmUp: number },
  start: () => Promise<Processes>,
): Promise<Arrival> {
  const before = await sink.tally()
  const processes = await start()
  forgetPeak(processes.program)
  const limit = performance.now() + limitMs
  const look = async () => ({ ...(await sink.tally()), at: performance.now(), ...cpuOfBoth(processes) })
  const after = async (count: number) => {
    for (;;) {
      const now = await look()
      if (now.messages >= before.messages + count) return now
      if (performance.now() > limit)
        throw new Error(`only ${now.messages - before.messages} of ${warmUp + wanted} arrived`)
      await Bun.sleep(20)
    }
  }
  const first = await after(warmUp + 1)
  const last = await after(warmUp + wanted)
  const arrived = last.messages - first.messages
  return {
    messages: wanted,
    perSecond: arrived / ((last.at - first.at) / 1_000),
    programCpu: (last.program - first.program) / 1_000,
    databaseCpu: (last.database - first.database) / 1_000,
    megabytes: peakMegabytes(processes.program),
    bytes: (last.bytes - first.bytes) / arrived,
  }
}

function cpuOfBoth({ program, database }: Processes) {
  return { program: cpuOf(program), database: cpuOfAll(database) ?? 0 }
}

function exactCpuOfBoth({ program, database }: Processes) {
  return { program: exactCpuOf(program, false), database: exactCpuOf(database, true) }
}

export interface Idle {
  /** Resident in the median second. */
  megabytes: number
  /** The most that was resident at any moment. */
  mostMegabytes: number
  /** Resident at the end, without the pages of files. */
  ownMegabytes: number
  /** Of one core. */
  programPercent: number
  databasePercent: number
}

/** Long enough for a runtime to have compiled what it will, and to have collected its garbage. */
export const settleMs = 45_000

/** Both of them with nothing to do, after a while in which they may settle. */
export async function measureIdle(processes: Processes, watchMs = 60_000): Promise<Idle> {
  await Bun.sleep(settleMs)
  forgetPeak(processes.program)
  const before = exactCpuOfBoth(processes)
  const samples: number[] = []
  for (let sample = 0; sample < watchMs / second; sample++) {
    await Bun.sleep(second)
    samples.push(residentMegabytes(processes.program))
  }
  const after = exactCpuOfBoth(processes)
  const mostMegabytes = peakMegabytes(processes.program)
  const own = ownMegabytes(processes.program)
  if (!mostMegabytes) throw new Error('the program ended while it had nothing to do')
  return {
    megabytes: samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!,
    mostMegabytes,
    ownMegabytes: own,
    programPercent: ((after.program - before.program) / watchMs) * 100,
    databasePercent: ((after.database - before.database) / watchMs) * 100,
  }
}
