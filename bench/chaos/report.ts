// What a run showed, as a page of the documentation.
import { version } from '../../package.json'
import type { Verdict } from './verdict'

export interface Happened {
  fault: string
  lastedMs: number
  /** From its end until both instances took a message again that arrived. */
  recoveredMs: number
}

export interface Shown {
  beganAt: Date
  minutes: number
  seed: number
  machine: string
  happened: Happened[]
  statuses: Map<number, number>
  verdict: Verdict
}

export function report({ beganAt, minutes, seed, machine, happened, statuses, verdict }: Shown): string {
  const answers = [...statuses].sort(([a], [b]) => a - b)
  const promised = sum(verdict.tallies.map(each => each.promised))
  const arrived = sum(verdict.tallies.map(each => each.arrived))
  return `# Reliability

Two instances of Waxwing on one PostgreSQL send to a relay that counts, while everything around them breaks, one fault after the other. This
page was written by the command that did it, and is repeated by

\`\`\`sh
bun run chaos ${minutes} --seed ${seed} --write
\`\`\`

It needs Linux and the programs of PostgreSQL 15; the full disk needs root, the clocks need libfaketime, and are left out without.

Waxwing ${version}, ${beganAt.toISOString().slice(0, 10)}, ${happened.length} faults in ${minutes} minutes, on ${machine}.

## What became of the messages

A message is promised when its request was answered with 200, for a campaign when it was started. It is lost when the relay never got it.

| | promised | arrived | lost | arrived twice |
|---|---|---|---|---|
${verdict.tallies.map(each => `| ${words[each.kind]} | ${each.promised} | ${each.arrived} | ${each.promised - each.arrived} | ${each.twice} |`).join('\n')}
| **all** | ${promised} | ${arrived} | **${promised - arrived}** | ${sum(verdict.tallies.map(each => each.twice))} |

Twice arrives what was on its way when a process or connection ended before the relay's answer was heard: each of these has such an attempt in
its ledger, and the same \`Message-ID\`. ${verdict.unpromised} more arrived whose request was not answered with 200: it was committed, and the answer got lost
on its way back.

From the promise to the arrival: half within ${inWords(quantile(verdict.delays, 0.5))}, 99 % within ${inWords(quantile(verdict.delays, 0.99))}, the last after ${inWords(quantile(verdict.delays, 1))}.

Answers: ${answers.map(([status, count]) => `${count} × ${status || 'none'}`).join(', ')}.

## What happened to it

"Well again" is the time from the end of the fault until each instance had taken a message that then arrived.

| fault | times | it lasted (median) | well again (median) | at the longest |
|---|---|---|---|---|
${[...Map.groupBy(happened, ({ fault }) => fault)]
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([fault, each]) => rowOf(fault, each))
  .join('\n')}

## What was wrong

${verdict.wrong.length === 0 ? 'Nothing: no message was lost, none arrived twice without a reason, and the records agree with the relay.' : verdict.wrong.map(each => `- ${each}`).join('\n')}
`
}

const words = {
  send: 'single sends, not repeated',
  repeated: 'single sends, repeated under one `Idempotency-Key`',
  batch: 'sends of a batch',
  event: 'mails of a workflow',
  campaign: 'mails of campaigns',
} as const

function rowOf(fault: string, each: Happened[]): string {
  const lasted = each.map(({ lastedMs }) => lastedMs).sort((a, b) => a - b)
  const recovered = each.map(({ recoveredMs }) => recoveredMs).sort((a, b) => a - b)
  const cells = [
    fault,
    each.length,
    inWords(quantile(lasted, 0.5)),
    inWords(quantile(recovered, 0.5)),
    inWords(quantile(recovered, 1)),
  ]
  return `| ${cells.join(' | ')} |`
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function inWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`
}
