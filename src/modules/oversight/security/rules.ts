// When there are too many bounces and complaints: thresholds, levels, and the verdict in words. Pure; the answers show this table, and
// the tests use it.

export const healthLevels = ['healthy', 'warning', 'critical'] as const
export type HealthLevel = (typeof healthLevels)[number]

export interface Counted {
  /** Messages made in the window, those to a provider's simulator left out. */
  total: number
  /** Hard bounces among them. */
  bounces: number
  complaints: number
}

export interface Measures {
  twentyFourHour: Counted
  sevenDay: Counted
  allTime: Counted
  /** Younger than 30 days: absolute ceilings apply besides the rates. */
  isNewProject: boolean
}

type Window = 'twentyFourHour' | 'sevenDay' | 'allTime'
type Kind = 'bounces' | 'complaints'

/** A level is reached where both limits are: the rate in percent, and the number. */
interface Limit {
  percent: number
  count: number
}

interface RateRule {
  window: Window
  kind: Kind
  /** Fewer messages than this prove nothing. */
  minimumTotal: number
  warning: Limit
  critical: Limit
}

export const rateNames = ['bounce7Day', 'bounceAllTime', 'complaint7Day', 'complaintAllTime'] as const
export type RateName = (typeof rateNames)[number]

export const rateRules: Readonly<Record<RateName, RateRule>> = {
  bounce7Day: {
    window: 'sevenDay',
    kind: 'bounces',
    minimumTotal: 100,
    warning: { percent: 5, count: 5 },
    critical: { percent: 10, count: 10 },
  },
  bounceAllTime: {
    window: 'allTime',
    kind: 'bounces',
    minimumTotal: 100,
    warning: { percent: 4, count: 5 },
    critical: { percent: 8, count: 10 },
  },
  complaint7Day: {
    window: 'sevenDay',
    kind: 'complaints',
    minimumTotal: 100,
    warning: { percent: 0.075, count: 3 },
    critical: { percent: 0.15, count: 5 },
  },
  complaintAllTime: {
    window: 'allTime',
    kind: 'complaints',
    minimumTotal: 100,
    warning: { percent: 0.03, count: 3 },
    critical: { percent: 0.12, count: 5 },
  },
}

interface Ceiling {
  window: Window
  kind: Kind
  warning: number
  critical: number
}

/** For new projects, whatever the rate: whoever buys a list does not send to it slowly. */
export const ceilings: readonly Ceiling[] = [
  { window: 'twentyFourHour', kind: 'bounces', warning: 10, critical: 25 },
  { window: 'sevenDay', kind: 'bounces', warning: 25, critical: 50 },
  { window: 'twentyFourHour', kind: 'complaints', warning: 3, critical: 7 },
  { window: 'sevenDay', kind: 'complaints', warning: 10, critical: 20 },
]

export interface ReputationLevels {
  levels: Record<RateName, HealthLevel>
  /** Sentences about what is critical. */
  violations: string[]
  warnings: string[]
}

export function assessReputation(measures: Measures): ReputationLevels {
  const verdict: ReputationLevels = {
    levels: {
      bounce7Day: 'healthy',
      bounceAllTime: 'healthy',
      complaint7Day: 'healthy',
      complaintAllTime: 'healthy',
    },
    violations: [],
    warnings: [],
  }
  const note = (level: HealthLevel, sentence: string): void => {
    if (level === 'critical') verdict.violations.push(sentence)
    if (level === 'warning') verdict.warnings.push(sentence)
  }
  for (const [name, rule] of Object.entries(rateRules) as [RateName, RateRule][]) {
    const level = levelOf(rule, measures[rule.window])
    verdict.levels[name] = level
    if (level !== 'healthy') note(level, rateSentence(rule, level, measures[rule.window]))
  }
  for (const ceiling of measures.isNewProject ? ceilings : []) {
    const count = measures[ceiling.window][ceiling.kind]
    const level = count >= ceiling.critical ? 'critical' : count >= ceiling.warning ? 'warning' : 'healthy'
    if (level !== 'healthy') note(level, ceilingSentence(ceiling, level, count))
  }
  return verdict
}

function levelOf({ kind, minimumTotal, warning, critical }: RateRule, counted: Counted): HealthLevel {
  const { total } = counted
  if (total < minimumTotal) return 'healthy'
  const reaches = ({ percent, count }: Limit): boolean =>
    counted[kind] >= count && counted[kind] * 100 >= percent * total
  return reaches(critical) ? 'critical' : reaches(warning) ? 'warning' : 'healthy'
}

const spans: Record<Window, string> = {
  twentyFourHour: 'of the last 24 hours',
  sevenDay: 'of the last 7 days',
  allTime: 'of all time',
}

const nouns: Record<Kind, string> = { bounces: 'Bounces', complaints: 'Complaints' }

function rateSentence(
  { window, kind, ...rule }: RateRule,
  level: 'warning' | 'critical',
  counted: Counted,
): string {
  const share = `${ratePercent(counted[kind], counted.total)} % (${counted[kind]} of ${counted.total})`
  return `${nouns[kind]} ${spans[window]}: ${share}; ${level} from ${rule[level].percent} % on`
}

function ceilingSentence(
  { window, kind, ...rule }: Ceiling,
  level: 'warning' | 'critical',
  count: number,
): string {
  return `${nouns[kind]} ${spans[window]}: ${count}; ${level} from ${rule[level]} on in a new project`
}

/** Percent with three decimals, enough to tell complaint rates apart; 0 where nothing was sent. */
export function ratePercent(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 100_000) / 1_000
}
