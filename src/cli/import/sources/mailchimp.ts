// `waxwing import mailchimp`: the files of an audience export. Which of them a file is (subscribed, unsubscribed, cleaned, nonsubscribed)
// is in its name, as Mailchimp gives it.
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { unguardCell } from '../../../lib/csv'
import { type ImportSource, type PeerRecord, SourceFault, type SourceRecord } from '../record'
import { fieldName, recordsOf, requireColumn, type TableRow } from '../table'

const kinds = ['nonsubscribed', 'unsubscribed', 'subscribed', 'cleaned'] as const
type Kind = (typeof kinds)[number]

/** The last word about somebody counts. */
const order: Record<Kind, number> = { subscribed: 0, nonsubscribed: 1, unsubscribed: 2, cleaned: 3 }

/** Columns about Mailchimp itself, or about where somebody was when a form was sent. */
const leftOut =
  /^(email address|member_rating|optin_ip|confirm_ip|latitude|longitude|gmtoff|dstoff|timezone|cc|region|last_changed|leid|euid|tags|optin_time|confirm_time|clean_.*|unsub_(campaign.*|time))$/i

/** Files, or a folder with the files of an unpacked export. Whoever is in several is what the last says: cleaned comes last. */
export function mailchimpSource(paths: readonly string[]): ImportSource {
  const files = paths.flatMap(filesAt).map(path => ({ path, kind: kindOf(path) }))
  files.sort((a, b) => order[a.kind] - order[b.kind])
  return { read: () => allRecords(files) }
}

function filesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new SourceFault(`${path} does not exist`)
  if (/\.zip$/i.test(path)) throw new SourceFault(`unpack ${path} first, and name the folder`)
  if (!found.isDirectory()) return [path]
  const files = readdirSync(path).filter(name => /\.csv$/i.test(name))
  if (files.length === 0) throw new SourceFault(`${path} holds no .csv file`)
  return files.sort().map(name => join(path, name))
}

function kindOf(path: string): Kind {
  const name = basename(path).toLowerCase()
  const kind = kinds.find(each => name.startsWith(each))
  if (kind) return kind
  throw new SourceFault(
    `the name of ${path} must begin with subscribed, unsubscribed, nonsubscribed or cleaned, as Mailchimp names it`,
  )
}

async function* allRecords(files: Array<{ path: string; kind: Kind }>): AsyncGenerator<SourceRecord> {
  for (const { path, kind } of files)
    yield* recordsOf(path, headings => planOf(path, kind, headings), `${basename(path)} `)
}

function planOf(path: string, kind: Kind, headings: string[]): (row: TableRow) => SourceRecord {
  const email = requireColumn(path, headings, 'Email Address')
  const at = (name: string): number => headings.findIndex(each => each.toUpperCase() === name)
  const [tags, optin, confirm] = [at('TAGS'), at('OPTIN_TIME'), at('CONFIRM_TIME')]
  const [left, cleanedAt, reason] = [at('UNSUB_TIME'), at('CLEAN_TIME'), at('UNSUB_REASON')]
  const fields = headings.flatMap((heading, index) =>
    leftOut.test(heading) || heading === '' ? [] : [{ index, name: fieldName(heading) }],
  )
  return ({ line, cells }) => {
    const time = readTime(cells[optin] || cells[confirm])
    return {
      place: `line ${line}`,
      email: unguardCell(cells[email]?.trim() ?? ''),
      texts: Object.fromEntries(fields.map(({ index, name }) => [name, cells[index]?.trim() ?? ''])),
      values: time ? { signedUpAt: time } : {},
      subscribed: kind === 'subscribed',
      ...optOutOf(kind, readTime(cells[left] || cells[cleanedAt])),
      ...(kind === 'cleaned' ? { suppressed: cleaned } : {}),
      ...(kind === 'unsubscribed' && /^\s*abuse/i.test(cells[reason] ?? '')
        ? { suppressed: complained }
        : {}),
      consent: kind === 'subscribed' ? consentOf(name => cells[at(name)]?.trim() ?? '') : {},
      lists: readTags(cells[tags] ?? ''),
    }
  }
}

/** Those of `nonsubscribed` were never asked. */
function optOutOf(kind: Kind, time: string | undefined): Pick<PeerRecord, 'optedOutAt'> {
  if (kind !== 'unsubscribed' && kind !== 'cleaned') return {}
  return { optedOutAt: time ? new Date(time) : 'unknown' }
}

const complained: PeerRecord['suppressed'] = { reason: 'complaint', source: 'mailchimp: marked as spam' }

/** When somebody signed up and confirmed, and from which addresses. */
function consentOf(cell: (name: string) => string): NonNullable<PeerRecord['consent']> {
  const [optedIn, confirmed] = [readTime(cell('OPTIN_TIME')), readTime(cell('CONFIRM_TIME'))]
  const from = (ip: string): string => (ip === '' ? '' : ` from ${ip}`)
  const words = [
    ...(optedIn ? [`signed up ${optedIn}${from(cell('OPTIN_IP'))}`] : []),
    ...(confirmed ? [`confirmed ${confirmed}${from(cell('CONFIRM_IP'))}`] : []),
  ]
  const at = confirmed ?? optedIn
  return at === undefined ? {} : { at: new Date(at), evidence: `Mailchimp: ${words.join(', ')}` }
}

const cleaned: PeerRecord['suppressed'] = { reason: 'bounce', source: 'mailchimp: cleaned' }

/** `"one","two, with comma"`. */
function readTags(cell: string): string[] {
  if (cell.trim() === '') return []
  try {
    const [row = []] = parse(cell, { relax_quotes: true, trim: true, to: 1 }) as string[][]
    return row.filter(tag => tag !== '')
  } catch {
    return [cell.trim()]
  }
}

/** Mailchimp's times have no zone and are UTC. */
function readTime(text: string | undefined): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text?.trim() ?? '')
  return match ? `${match[1]}T${match[2]}Z` : undefined
}
