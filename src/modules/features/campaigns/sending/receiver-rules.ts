// When a receiver counts as refusing a campaign, and when it is asked again. Pure.
import { hour, minute } from '../../../../lib/time'

/** Of so many answers, the newest. */
const answersKept = 20
/** So many refusals, and more than half of those answers. */
const leastRefusals = 10

export type ReceiverAnswer = 'refused' | 'other'

const letters: Readonly<Record<ReceiverAnswer, string>> = { refused: 'r', other: 'a' }

/** The newest answers, with these at the end. */
export function joinAnswers(before: string, answers: readonly ReceiverAnswer[]): string {
  return (before + answers.map(answer => letters[answer]).join('')).slice(-answersKept)
}

/** The same for refusals that were reported later: those messages had counted as taken. */
export function withReportedRefusals(before: string, count: number): string {
  const corrected = Array.from({ length: count }).reduce<string>(text => text.replace('a', ''), before)
  return joinAnswers(
    corrected,
    Array.from({ length: count }, () => 'refused' as const),
  )
}

export function refusalsIn(answers: string): number {
  return answers.split('r').length - 1
}

/** Whether the receiver refuses the campaign, and not single messages. */
export function refusesCampaign(answers: string): boolean {
  const refusals = refusalsIn(answers)
  return refusals >= leastRefusals && refusals * 2 > answers.length
}

const waits = [30 * minute, hour, 2 * hour, 4 * hour, 6 * hour]

/** How long until the next message tries; `probes` is how many have tried before. */
export function waitBeforeProbe(probes: number): number {
  return waits[Math.min(probes, waits.length - 1)]!
}
