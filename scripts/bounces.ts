// How well returned mail is understood: reads each mail of DIR/samples, and compares with DIR/verdicts.json, where another reader says what each
// means for whom. Of a message that is still being tried counts what it will fail for if nothing changes. `bun run bounces DIR`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MailReport, readReturnedMail } from '../src/mail/bounces'

interface Verdict {
  class: string
  reason: string
  status: string
  recipient: string
  feedbackType?: string
  diagnostic?: string
}

const classes = ['dead', 'refused', 'full', 'expired', 'complaint', 'none'] as const
const answers = ['dead', 'full', 'refused', 'unknown', 'expired', 'complaint', 'other', 'nothing'] as const
type Answer = (typeof answers)[number]

interface Pair {
  file: string
  verdict: Verdict
  answer: Answer
  report: MailReport | undefined
}

const [folder] = Bun.argv.slice(2)
if (!folder) throw new Error('Name a folder with samples/ and verdicts.json: bun run bounces DIR')
const verdicts = JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8')) as Record<string, Verdict[]>
const pairs: Pair[] = []
for (const [file, expected] of Object.entries(verdicts)) {
  const mail = await readReturnedMail(readFileSync(join(folder, 'samples', file)))
  pairs.push(...pairUp(file, expected, mail?.reports ?? []))
}

/** By recipient; where the two name it differently, in order. */
function pairUp(file: string, expected: readonly Verdict[], reports: readonly MailReport[]): Pair[] {
  const isNamed = (verdict: Verdict) => (report: MailReport) =>
    report.recipient === verdict.recipient.toLowerCase()
  const rest = reports.filter(report => !expected.some(verdict => isNamed(verdict)(report)))
  return expected.map(verdict => {
    const report = reports.find(isNamed(verdict)) ?? rest.shift()
    return { file, verdict, report, answer: answerOf(report) }
  })
}

function answerOf(report: MailReport | undefined): Answer {
  if (!report) return 'nothing'
  if (report.said === 'delayed') return report.likely ?? 'expired'
  return (answers as readonly string[]).includes(report.said) ? (report.said as Answer) : 'other'
}

interface Exception {
  isOne(pair: Pair): boolean
  reason: string
}

/** Where we differ from the other reader on purpose; `docs/feedback.md` has the same table. */
const exceptions: readonly Exception[] = [
  {
    isOne: ({ verdict, answer, report }) =>
      verdict.reason === 'filtered' && answer === 'dead' && report?.code === '5.1.1',
    reason: 'the code is the one of a mailbox that does not exist',
  },
  {
    isOne: ({ answer, report }) =>
      answer === 'dead' && /unexpected name server reply/.test(report?.words ?? ''),
    reason: 'an older Postfix says so of a domain that takes no mail (null MX)',
  },
  {
    isOne: ({ verdict, answer }) =>
      verdict.class === 'complaint' && answer === 'other' && verdict.feedbackType !== 'abuse',
    reason: 'a report of that type is no complaint',
  },
  {
    isOne: ({ verdict, answer, report }) =>
      verdict.class === 'dead' && answer === 'refused' && /spamhaus/i.test(report?.words ?? ''),
    reason: 'the words speak of the sender',
  },
  {
    isOne: ({ answer, report }) =>
      answer === 'refused' &&
      /5\.7\.1 .*recipient address rejected: access denied/is.test(report?.words ?? ''),
    reason: 'Postfix says so by a rule of its operator, also of addresses that exist',
  },
  {
    isOne: ({ answer, report }) =>
      answer === 'unknown' && /other recipients in the same domain/.test(report?.words ?? ''),
    reason: 'a gateway says only that it could not deliver to the domain',
  },
  {
    isOne: ({ answer, report }) => answer === 'expired' && /message expired/i.test(report?.words ?? ''),
    reason: 'the server gave up, for whatever reason, after trying for a time',
  },
  {
    isOne: ({ verdict, answer }) => verdict.class === 'complaint' && answer === 'nothing',
    reason: 'one report counts for one recipient',
  },
  { isOne: isDelayed, reason: 'the message is still being tried' },
  {
    isOne: ({ answer, report }) => answer === 'expired' && (report?.temporary ?? false),
    reason: 'the code or the words are temporary',
  },
]

/** Still being tried: nobody can say yet what became of it. */
function isDelayed({ report }: Pair): boolean {
  return report?.said === 'delayed'
}

function reasonToDiffer(pair: Pair): string | undefined {
  return exceptions.find(({ isOne }) => isOne(pair))?.reason
}

function print(all: readonly Pair[]): void {
  const width = 10
  const row = (cells: readonly (string | number)[]) => cells.map(cell => String(cell).padEnd(width)).join('')
  console.log(row(['', ...answers]))
  for (const one of classes) {
    const found = all.filter(({ verdict }) => verdict.class === one)
    if (found.length > 0)
      console.log(row([one, ...answers.map(answer => found.filter(pair => pair.answer === answer).length)]))
  }
  const dead = all.filter(({ verdict }) => verdict.class === 'dead')
  const alive = all.filter(({ verdict }) => ['refused', 'full', 'expired'].includes(verdict.class))
  const failures = [...dead, ...alive]
  const killed = alive.filter(({ answer }) => answer === 'dead')
  const explained = killed.filter(pair => reasonToDiffer(pair) !== undefined)
  console.log()
  console.log(share('dead, recognised', dead.filter(({ answer }) => answer === 'dead').length, dead.length))
  console.log(share('others, taken for dead', killed.length, alive.length))
  console.log(share('  of these without a reason', killed.length - explained.length, alive.length))
  console.log(
    share('failures, read', failures.filter(({ answer }) => answer !== 'nothing').length, failures.length),
  )
  console.log()
  for (const pair of all.filter(isDisagreement)) {
    const { file, verdict, answer, report } = pair
    console.log(
      `${file}: ${verdict.class} (${verdict.reason}) here ${answer}${reasonToDiffer(pair) ? `, since ${reasonToDiffer(pair)}` : ''}`,
    )
    console.log(`    ${(report?.words ?? verdict.diagnostic ?? '').slice(0, 200)}`)
  }
}

function isDisagreement({ verdict, answer }: Pair): boolean {
  if (answer === 'unknown') return verdict.class !== 'refused'
  return verdict.class === 'none' ? !['other', 'nothing'].includes(answer) : answer !== verdict.class
}

function share(what: string, part: number, whole: number): string {
  return `${what.padEnd(30)} ${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`
}

print(pairs)
