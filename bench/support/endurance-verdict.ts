// What a run of bench/endurance.ts showed: who got how many copies and why, how long transactional mail took, and what the records say.
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import type { PublishedRecord } from '../../test/support/name-server'
import type { Recorded } from './recorder'

export interface Fault {
  kind: 'kill' | 'restart' | 'refusal'
  /** Milliseconds since 1970. */
  from: number
  until: number
}

/** A transactional message, and when it was accepted. */
export interface Transactional {
  to: string
  at: number
}

/** An attempt that no process completed, and when it began. */
export interface LostTry {
  to: string
  at: number
}

export interface Evidence {
  contacts: number
  arrived: { recorded: Recorded[]; samples: string[] }
  transactional: Transactional[]
  faults: Fault[]
  stats: Record<string, number>
  lost: LostTry[]
  memory: { program: number; database: number }
  dns: PublishedRecord[]
}

const maxMegabytes = 250
const maxSeconds = 1

/** Prints the figures; returns what is wrong with them. */
export async function judge(evidence: Evidence): Promise<string[]> {
  const wrong = [
    ...judgeCampaign(evidence),
    ...judgeTransactional(evidence),
    ...(await judgeSignatures(evidence)),
  ]
  const { memory } = evidence
  console.log(
    `memory: the program ${memory.program.toFixed(0)} MB at most, PostgreSQL ${memory.database.toFixed(0)} MB`,
  )
  if (memory.program > maxMegabytes)
    wrong.push(`${memory.program.toFixed(0)} MB are more than ${maxMegabytes}`)
  return wrong
}

function judgeCampaign({ contacts, arrived, faults, stats, lost }: Evidence): string[] {
  const copies = Map.groupBy(
    arrived.recorded.filter(each => each.to.endsWith('@example.com')),
    each => each.to,
  )
  const reached = [...copies.keys()].filter(to => to.startsWith('ada-')).length
  const strangers = copies.size - reached
  const again = [...copies.values()].flatMap(each => each.slice(1).map(copy => ({ copy, first: each[0]! })))
  const otherIds = again.filter(({ copy, first }) => copy.messageId !== first.messageId).length
  const unsigned = arrived.recorded.filter(each => !each.signed).length
  console.log(
    `campaign: ${reached} of ${contacts} reached, ${strangers} strangers, ${again.length} second copies`,
  )
  console.log(
    `books: ${JSON.stringify(stats, ['sentCount', 'deliveredCount', 'failedCount', 'skippedCount', 'bouncedCount'])}`,
  )
  const wrong: string[] = []
  const kills = faults.filter(fault => fault.kind === 'kill')
  const killOf = ({ at }: LostTry): number => kills.findIndex(kill => at <= kill.from)
  const lostOf = Map.groupBy(lost, each => each.to)
  // A second copy is explained by an attempt that was under way when the first one arrived, and that a kill ended before the copy came.
  const isCause = (each: LostTry, copy: Recorded, first: Recorded): boolean => {
    const kill = kills[killOf(each)]
    return kill !== undefined && each.at <= first.at && kill.from < copy.at
  }
  const causes = again.map(({ copy, first }) => lostOf.get(copy.to)?.find(each => isCause(each, copy, first)))
  kills.forEach((_, index) => {
    const inFlight = lost.filter(each => killOf(each) === index).length
    const copied = causes.filter(cause => cause && killOf(cause) === index).length
    console.log(`kill ${index + 1}: ${inFlight} in flight, ${copied} of them sent twice`)
  })
  const unexplained = causes.filter(cause => cause === undefined).length
  if (reached !== contacts) wrong.push(`${contacts - reached} contacts did not get the message`)
  if (strangers > 0) wrong.push(`${strangers} got it who should not`)
  if (unexplained > 0) wrong.push(`${unexplained} second copies that no kill explains`)
  if (otherIds > 0) wrong.push(`${otherIds} second copies have another Message-ID`)
  if (unsigned > 0) wrong.push(`${unsigned} messages are not signed`)
  if (stats['sentCount'] !== reached || stats['deliveredCount'] !== reached)
    wrong.push(`the books say ${stats['sentCount']} sent, the sink ${reached}`)
  return wrong
}

function judgeTransactional({ arrived, transactional, faults }: Evidence): string[] {
  const firstAt = new Map<string, number>()
  for (const { to, at } of arrived.recorded) if (!firstAt.has(to)) firstAt.set(to, at)
  const missing = transactional.filter(({ to }) => !firstAt.has(to)).length
  const waits = (some: Transactional[]): number[] =>
    some
      .map(({ to, at }) => Math.max(0, (firstAt.get(to) ?? Number.POSITIVE_INFINITY) - at))
      .sort((a, b) => a - b)
  const isCalm = ({ at }: Transactional): boolean =>
    !faults.some(fault => at > fault.from - 1_000 && at < fault.until + 1_000)
  const calm = waits(transactional.filter(isCalm))
  const all = waits(transactional)
  console.log(`transactional: ${all.length} accepted, ${missing} missing; ${figures(all)} in all`)
  console.log(`transactional while nothing was broken: ${calm.length}; ${figures(calm)}`)
  const wrong = missing > 0 ? [`${missing} transactional messages did not arrive`] : []
  const slow = calm.filter(ms => ms > maxSeconds * 1_000).length
  if (slow > 0) wrong.push(`${slow} transactional messages took longer than ${maxSeconds} s`)
  return wrong
}

function figures(sorted: number[]): string {
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

/** Verifies the first messages as a receiver would. */
async function judgeSignatures({ arrived: { samples }, dns }: Evidence): Promise<string[]> {
  const resolver = async (name: string): Promise<string[][]> =>
    dns.filter(record => record.name === name.toLowerCase()).map(record => [record.value])
  let good = 0
  for (const sample of samples) {
    const { results } = await dkimVerify(Buffer.from(sample, 'latin1'), { resolver })
    if (results[0]?.status.result === 'pass') good++
  }
  console.log(`signatures: ${good} of ${samples.length} looked at are good`)
  return good === samples.length ? [] : [`${samples.length - good} signatures are not good`]
}
