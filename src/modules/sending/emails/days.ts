// The counts of messages by day: which there are, and how changes of single messages become few rows. Pure.
import { hour } from '../../../lib/time'
import type { SourceType } from './schema'
import { ownSimulatorDomain } from './simulator'

export const dayCountNames = [
  'created',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
] as const
export type DayCountName = (typeof dayCountNames)[number]

/** Each message counts once in each: `opened` counts messages that were opened, not opens. */
export type DayCounts = Record<DayCountName, number>

/** What one message changed in the counts: +1 where it entered a state, -1 where it left it. */
export interface DayChange extends Partial<DayCounts> {
  projectId: string
  sourceType: SourceType
  /** When the message was made: it counts on that day, whenever it is opened. */
  createdAt: Date
  toEmail: string
  /** What it adds to the use of its month; without this, a message that did not fail adds one. */
  used?: number
}

/** One appended row. */
export interface DayDelta extends DayCounts {
  used: number
  projectId: string
  hour: string
  sourceType: SourceType
  isSimulated: boolean
}

/** Messages to these domains try out bounces and complaints. The statements that do their own counting compare with them too. */
const simulatorDomains = ['simulator.amazonses.com', ownSimulatorDomain]

/** Patterns of `like` for addresses of these domains. */
export const simulatedPatterns = simulatorDomains.map(domain => `%@${domain}`)

export function isSimulated(toEmail: string): boolean {
  return simulatorDomains.some(domain => toEmail.endsWith(`@${domain}`))
}

/** One row for each project, hour, source and kind of address; those that cancel out are left out. */
export function sumDayChanges(changes: readonly DayChange[]): DayDelta[] {
  const sums = new Map<string, DayDelta>()
  for (const change of changes) {
    const { projectId, sourceType } = change
    const at = hourOf(change.createdAt)
    const simulated = isSimulated(change.toEmail)
    const key = `${projectId} ${at} ${sourceType} ${simulated}`
    const sum = sums.get(key) ?? {
      projectId,
      hour: at,
      sourceType,
      isSimulated: simulated,
      used: 0,
      ...noDayCounts(),
    }
    for (const name of dayCountNames) sum[name] += change[name] ?? 0
    sum.used += change.used ?? (change.created ?? 0) - (change.failed ?? 0)
    sums.set(key, sum)
  }
  return [...sums.values()].filter(sum => dayCountNames.some(name => sum[name] !== 0))
}

function hourOf(at: Date): string {
  return new Date(Math.floor(at.getTime() / hour) * hour).toISOString()
}

export function noDayCounts(): DayCounts {
  return Object.fromEntries(dayCountNames.map(name => [name, 0])) as DayCounts
}

/** What the messages of a project and source add to its use of a month, given by its first day: `YYYY-MM-DD`, in UTC. */
export interface MonthUsage {
  projectId: string
  month: string
  sourceType: SourceType
  used: number
  units: number
}
