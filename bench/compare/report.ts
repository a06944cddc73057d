// What a comparison showed, as a page of the documentation.
import { cpus, totalmem } from 'node:os'
import { version } from '../../package.json'
import { pollMs, warmUpMessages, warmUpSeconds } from './content'
import type { Written } from './ledger'
import { listmonkSettings } from './listmonk'
import { type Arrival, type Idle, settleMs } from './measure'
import { notifuseSettings } from './notifuse'

export interface Single {
  /** Messages a second that were answered with 200, and the time to the answer, in milliseconds. */
  accepted: number
  p99: number
  /** Messages a second that had left when the last one had; absent where none leaves. */
  left: number | undefined
}

/** What was seen of one program, round by round. */
export interface Half {
  campaigns: { plain: Arrival[]; shipped: Arrival[] }
  /** By the last campaign that was neither signed nor tracked; absent where that is not looked at. */
  written?: Written
  single: { alone: Single[]; sent: Single[] }
  imports: { api: number[]; command: number[] }
  idle: Idle[]
}

/** One that Waxwing is compared with. */
export interface Peer extends Half {
  version: string
}

/** By the setting that names its program; absent where none does. */
export interface Figures {
  ours: Half
  LISTMONK?: Peer
  NOTIFUSE?: Peer
}

export function report(
  { ours, LISTMONK: listmonk, NOTIFUSE: notifuse }: Figures,
  { messages, rounds }: { messages: number; rounds: number },
): string {
  const campaign = (name: string, all: Arrival[], book: string): string =>
    row(
      name,
      spread(all.map(each => each.perSecond)),
      spread(all.map(each => (each.programCpu / each.messages) * 1_000_000)),
      spread(all.map(each => (each.databaseCpu / each.messages) * 1_000_000)),
      spread(all.map(each => each.megabytes)),
      (median(all.map(each => each.bytes)) / 1_000).toFixed(1),
      book,
    )
  const single = (name: string, all: Single[], kept: string): string =>
    row(
      name,
      spread(all.map(each => each.accepted)),
      spread(all.map(each => each.p99)),
      all[0]?.left === undefined ? 'none leaves' : spread(all.map(each => each.left!)),
      kept,
    )
  const idle = (name: string, all: Idle[]): string =>
    row(
      name,
      spread(all.map(each => each.megabytes)),
      spread(all.map(each => each.mostMegabytes)),
      spread(all.map(each => each.ownMegabytes)),
      spread(
        all.map(each => each.programPercent),
        2,
      ),
      spread(
        all.map(each => each.databasePercent),
        2,
      ),
    )
  /** Round by round, because the speed of a machine drifts. */
  const besideListmonk = (all: Arrival[]): string =>
    spread(
      all.map((each, round) => each.perSecond / listmonk!.campaigns.plain[round]!.perSecond),
      2,
    )
  const acceptedOf = ({ single }: Half): number => median(single.sent.map(each => each.accepted))
  const named = [
    ...(listmonk ? [{ name: 'listmonk', peer: listmonk, file: 'LISTMONK=/path/to/listmonk' }] : []),
    ...(notifuse ? [{ name: 'Notifuse', peer: notifuse, file: 'NOTIFUSE=/path/to/notifuse' }] : []),
  ]
  return `# Benchmarks

Waxwing ${version} beside ${named.map(({ name, peer }) => `${name} ${peer.version}`).join(' and ')} in one run on one machine. This page was written by the command that measured:

\`\`\`sh
${named.map(({ file }) => file).join(' ')} bun run bench compare --messages ${messages} --rounds ${rounds} --write
\`\`\`

The file of listmonk is one that it publishes with a release, or one that was built from its tag; Notifuse is built from its tag (\`go build -o notifuse ./cmd/api\`). One of them is
enough. The bench starts each on a database of its own, and sets it up. Waxwing is the executable of a release, built before. ${machine()} PostgreSQL is
the same build with the same settings for all, and waits for the disk (\`fsync\`). An SMTP sink beside them takes everything and keeps nothing. Medians
of ${rounds} rounds in which they take turns; behind them the lowest and the highest. Figures of two machines can't be compared, ratios mostly can.

## A campaign

${messages.toLocaleString('en')} readers, HTML and text with five links, personalised; the rate at which they arrive once ${warmUpMessages.toLocaleString('en')} others have.

| | messages/s | µs of processor a message | of PostgreSQL | MB, program | kB a message | what is known afterwards |
|---|---|---|---|---|---|---|
${[
  ...(listmonk ? [campaign('listmonk', listmonk.campaigns.plain, 'a count')] : []),
  ...(notifuse
    ? [
        campaign(
          `Notifuse, HTML alone, to ${notifuse.campaigns.plain[0]?.messages.toLocaleString('en')} of them`,
          notifuse.campaigns.plain,
          'a row for each message',
        ),
      ]
    : []),
  campaign('Waxwing, neither signed nor tracked', ours.campaigns.plain, 'a row for each message'),
  campaign(
    'Waxwing, DKIM (RSA-2048), links and opens tracked',
    ours.campaigns.shipped,
    'a row for each message',
  ),
].join('\n')}

${[
  ...(listmonk
    ? [
        `Waxwing is at ${besideListmonk(ours.campaigns.plain)} of listmonk's rate, round by round, each message recorded before and after it leaves, and signed and tracked at ${besideListmonk(ours.campaigns.shipped)}. listmonk's settings, the quickest for a campaign of those that were tried (a concurrency of 5 to 80, batches of 2,000 to 30,000; with fewer connections \`/api/tx\` accepts more): ${settingsText(listmonkSettings)}.`,
      ]
    : []),
  ...(notifuse
    ? [
        `Once a second, Notifuse takes at most 50 messages out of a workspace's queue and sends them one after another, and no setting changes that: about 50 a second are all that it can reach, so its broadcast goes to fewer readers. It opens a connection for each message, and sends no text part. Its settings: ${settingsText(notifuseSettings)}.`,
      ]
    : []),
].join('\n\n')}

${ours.written ? whatIsWritten(ours.written) : ''}
## Single messages

By HTTP over 32 connections, after ${warmUpSeconds} seconds of the same.

| | accepted/s | p99 in ms | left/s | after a crash |
|---|---|---|---|---|
${[
  ...(listmonk
    ? [
        single(
          'listmonk, `/api/tx`, recipient not looked up',
          listmonk.single.sent,
          'what was accepted and has not left is lost',
        ),
      ]
    : []),
  ...(notifuse
    ? [
        single(
          'Notifuse, `transactional.send`, which answers when the message has left',
          notifuse.single.sent,
          'nothing was accepted that has not left',
        ),
      ]
    : []),
  single('Waxwing, `/v1/send`, delivered elsewhere', ours.single.alone, 'all that was accepted leaves'),
  single(
    'Waxwing, `/v1/send`, signed and delivered meanwhile',
    ours.single.sent,
    'all that was accepted leaves',
  ),
].join('\n')}

${listmonk ? `listmonk keeps a message in memory, and answers ${ratio(acceptedOf(listmonk), acceptedOf(ours))} times as often; ` : ''}Waxwing answers once it is committed.

## An import

${(warmUpMessages + messages).toLocaleString('en')} rows with three fields of data. An import of Waxwing or listmonk is one file; Notifuse takes 1,000 in a request, and the next with its answer. An import of Waxwing gives way to requests, and asking for its progress is one: every ${pollMs} ms.

| | rows/s |
|---|---|
${[
  ...named.map(({ name, peer }) => row(`${name}, API`, spread(peer.imports.api))),
  row('Waxwing, API', spread(ours.imports.api)),
  row('Waxwing, `waxwing import csv`', spread(ours.imports.command)),
].join('\n')}

## Doing nothing

After ${settleMs / 1_000} seconds without work, all of them at the same time, by the nanoseconds that the kernel says their threads ran. Memory is what is resident: in the median second, the
most at any moment, and without the pages of the executable, which the system drops when it needs the room. Waxwing gives these back by itself, and needs some for a moment, every
30 seconds, when it looks whether there is anything to do.

| | MB, program | at the most | its own | % of a core, program | % of a core, PostgreSQL |
|---|---|---|---|---|---|
${[...named.map(({ name, peer }) => idle(name, peer.idle)), idle('Waxwing', ours.idle)].join('\n')}
`
}

/** The ledger's price, of a campaign that is neither signed nor tracked. */
function whatIsWritten({ tables, logBytes, commits }: Written): string {
  const few = (value: number): string => value.toFixed(2)
  const rows = tables.map(({ table, inserted, updated, inPlace, indexEntries, bytes }) =>
    row(
      `\`${table}\``,
      few(inserted),
      updated === 0 ? '' : `${few(updated)} (${Math.round(inPlace * 100)} %)`,
      few(indexEntries),
      Math.round(bytes).toLocaleString('en'),
    ),
  )
  return `## What a message writes

In a campaign that is neither signed nor tracked, a message. An update in place (HOT) writes no entry into an index.

| | rows inserted | updated (in place) | entries in indexes | bytes kept |
|---|---|---|---|---|
${rows.join('\n')}

${Math.round(logBytes).toLocaleString('en')} bytes go to PostgreSQL's log, in ${few(commits)} transactions: outcomes are written for many messages at once.
`
}

const settingsText = (settings: Record<string, unknown>): string =>
  Object.entries(settings)
    .map(([key, value]) => `\`${key} = ${value}\``)
    .join(', ')

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`

const ratio = (one: number, other: number): string => (one / other).toFixed(2)

function machine(): string {
  const [{ model = 'processor' } = {}] = cpus()
  return `The machine: ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}, ${new Date().toISOString().slice(0, 10)}.`
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
}

/** The median, and behind it how far they lie apart. */
function spread(all: readonly number[], digits = 0): string {
  const said = (value: number): string =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (all.length < 2) return said(median(all))
  return `${said(median(all))} (${said(Math.min(...all))}–${said(Math.max(...all))})`
}
