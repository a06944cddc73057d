// What an import did, counted while it runs, and the text that is printed at its end.

import { openSync, writeSync } from 'node:fs'
import { csvLine, guardCell } from '../../lib/csv'
import { type ContentKind, SourceFault } from './record'

export interface ImportReport {
  /** What the source does not tell. */
  notes: string[]
  read: number
  created: number
  updated: number
  unchanged: number
  /** Records with an address that an earlier record had. */
  repeated: number
  /** Contacts of the source that are unsubscribed now, as hashes of their addresses. */
  unsubscribed: Set<number>
  /** Addresses that were not suppressed before. */
  suppressed: number
  refused: number
  /** How often each reason was met. */
  reasons: Map<string, number>
  /** The first ones, with their places. */
  examples: Example[]
  /** What was left out of records that were taken. */
  without: { count: number; reasons: Map<string, number>; examples: Example[] }
  /** Records that say yes about somebody who opted out or is taking a break: their state is left as it is. */
  leftOut: number
  /** The first ones. */
  leftOutExamples: Array<{ place: string; email: string }>
  /** Layouts, templates, …: made by this import, or there by their names already. */
  content: Map<ContentKind, { created: number; present: number }>
  /** Links in mail of the other program that work here from now on: of people, and to pages. */
  oldLinks: { people: number; pages: number }
  /** What could not be taken of them, all of it: they are few. */
  lost: Array<{ place: string; reason: string }>
  /** Everything that is refused, left as it is or lost, as it happens. */
  onLoss?(what: Loss, place: string, email: string, reason: string): void
}

type Loss = 'refused' | 'left as is' | 'left out' | 'not taken'

interface Example {
  place: string
  email: string
  reason: string
}

const shownExamples = 20
const shownReasons = 20
const shownLost = 50

export function emptyReport(): ImportReport {
  return {
    ...{ notes: [], read: 0, created: 0, updated: 0, unchanged: 0, repeated: 0 },
    ...{ unsubscribed: new Set(), suppressed: 0, refused: 0, reasons: new Map(), examples: [] },
    ...{ leftOut: 0, leftOutExamples: [], content: new Map(), lost: [] },
    without: { count: 0, reasons: new Map(), examples: [] },
    oldLinks: { people: 0, pages: 0 },
  }
}

interface Whose {
  place: string
  email: string
}

export function refuse(report: ImportReport, whose: Whose, reason: string): void {
  report.refused++
  report.onLoss?.('refused', whose.place, whose.email, reason)
  tally(report, whose, reason)
}

/** The record is taken, without something that it says. */
export function noteWithout(report: ImportReport, whose: Whose, reason: string): void {
  report.without.count++
  report.onLoss?.('left out', whose.place, whose.email, reason)
  tally(report.without, whose, reason)
}

function tally(
  { reasons, examples }: Pick<ImportReport, 'reasons' | 'examples'>,
  { place, email }: Whose,
  reason: string,
): void {
  if (reasons.has(reason) || reasons.size < 1_000) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  if (examples.length < shownExamples)
    examples.push({ place, email: printable(email), reason: printable(reason) })
}

export function noteLeftOut(report: ImportReport, { place, email }: Whose): void {
  report.leftOut++
  report.onLoss?.('left as is', place, email, 'opted out or is taking a break here')
  if (report.leftOutExamples.length < shownExamples)
    report.leftOutExamples.push({ place, email: printable(email) })
}

export function noteLost(report: ImportReport, place: string, reason: string): void {
  report.onLoss?.('not taken', place, '', reason)
  report.lost.push({ place: printable(place), reason: printable(reason) })
}

/** What comes from a file must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?').slice(0, 200)
}

export function reportText(report: ImportReport, isDryRun: boolean): string {
  const rows: Array<[string, number]> = [
    ['read', report.read],
    ['created', report.created],
    ['updated', report.updated],
    ['unchanged', report.unchanged],
    ['repeated', report.repeated],
    ['refused', report.refused],
    ['unsubscribed', report.unsubscribed.size],
    ['suppressed', report.suppressed],
    ['left as is', report.leftOut],
  ]
  const counts = rows.map(([name, count]) => `${name.padEnd(13)}${count.toLocaleString('en').padStart(12)}`)
  const { oldLinks } = report
  const content = [...report.content].map(
    ([kind, { created, present }]) =>
      `${`${kind}s`.padEnd(13)}${`${created} created, ${present} there already`}`,
  )
  const lost = report.lost.slice(0, shownLost).map(({ place, reason }) => `  ${place}: ${reason}`)
  return [
    ...report.notes.map(printable),
    isDryRun ? 'dry run: nothing was changed; an import would have' : 'done',
    ...counts,
    ...(content.length > 0 ? ['', ...content] : []),
    ...(oldLinks.people + oldLinks.pages > 0
      ? ['', `old links that now work here: of ${oldLinks.people} people, to ${oldLinks.pages} pages`]
      : []),
    ...(report.lost.length > 0
      ? ['', `could not be taken, ${report.lost.length} in all, the first ${lost.length}:`, ...lost]
      : []),
    ...(report.refused > 0 ? tallied('refused', report) : []),
    ...(report.without.count > 0 ? tallied('taken without something', report.without) : []),
    ...(report.leftOut > 0
      ? [
          '',
          `opted out or snoozed, left as is, the first ${report.leftOutExamples.length}:`,
          ...report.leftOutExamples.map(({ place, email }) => `  ${place} (${email})`),
        ]
      : []),
  ].join('\n')
}

function tallied(title: string, { reasons, examples }: Pick<ImportReport, 'reasons' | 'examples'>): string[] {
  const counted = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shownReasons)
    .map(([reason, count]) => `  ${count.toLocaleString('en')} × ${printable(reason)}`)
  const shown = examples.map(
    ({ place, email, reason }) => `  ${place}${email ? ` (${email})` : ''}: ${reason}`,
  )
  return ['', `${title}:`, ...counted, '', `the first ${shown.length}:`, ...shown]
}

/** Written as it happens: there may be millions. Throws SourceFault for a file that can't be written. */
export function lossTable(path: string): NonNullable<ImportReport['onLoss']> {
  let file: number
  try {
    file = openSync(path, 'w', 0o600)
  } catch (error) {
    throw new SourceFault(`${path} cannot be written (${(error as { code?: string }).code ?? error})`)
  }
  writeSync(file, csvLine(['what', 'place', 'email', 'reason']))
  return (...cells) => {
    writeSync(file, csvLine(cells.map(guardCell)))
  }
}
