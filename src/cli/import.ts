// `waxwing import csv|listmonk|… SOURCE`: imports contacts from another program, alongside a running instance. Says what it is
// about to do, asks (or takes --yes), and ends with a report. A record that is refused changes nothing; the rest of the source is
// imported.

import type { Context } from '../platform/context'
import { readArguments, UsageFault } from './arguments'
import { applySource } from './import/apply'
import { applyContent } from './import/content'
import { findSegments, findTopics, topicNotes } from './import/lists'
import type { ImportSource, PeerRecord } from './import/record'
import { emptyReport, type ImportReport, lossTable, reportText } from './import/report'
import { findSource, openSource } from './import/sources'
import { askFor, findProject, withInstance } from './with-instance'

export const importFlags = {
  project: {
    kind: 'text',
    value: 'NAME',
    description: 'into which project: its id or name; needless where there is one only',
  },
  'dry-run': { kind: 'flag', description: 'report what would happen, and change nothing' },
  yes: { kind: 'flag', description: 'do it without asking' },
  segment: { kind: 'text', value: 'NAME', description: 'put everybody into this static segment' },
  lists: { kind: 'flag', description: 'make static segments from lists and tags too' },
  topics: { kind: 'flag', description: 'make topics from lists, with the state of each subscription' },
  'only-list': {
    kind: 'texts',
    value: 'NAME',
    description: 'make topics and segments only from this list; may be given several times',
  },
  map: {
    kind: 'texts',
    value: '"HEADING=FIELD"',
    description: 'files: a column under another name, or "topic:NAME"; may be given several times',
  },
  'enabled-are': {
    kind: 'text',
    value: 'subscribed|unsubscribed',
    description: 'files of listmonk: what an enabled subscriber becomes',
  },
  'key-file': {
    kind: 'text',
    value: 'FILE',
    description: 'a file with the key for the API of the other program; - is standard input',
  },
  content: {
    kind: 'flag',
    description: 'listmonk, plunk, usesend, notifuse: templates, campaigns (as drafts) and workflows, too',
  },
  finished: { kind: 'flag', description: 'listmonk: also campaigns that were sent, as drafts' },
  from: {
    kind: 'text',
    value: 'ADDRESS',
    description: 'the sender of what names one that is not verified here',
  },
  report: { kind: 'text', value: 'FILE', description: 'a table of everything that could not be taken' },
  workspace: { kind: 'text', value: 'ID', description: 'notifuse: which workspace' },
} as const

type Wanted = ReturnType<typeof readArguments<typeof importFlags>>['flags']

export async function importCommand(given: string[]): Promise<number> {
  const [kind = '', ...rest] = given
  const { flags: wanted, names } = readArguments(rest, importFlags, [
    findSource(kind).isMany ? 'SOURCE…' : 'SOURCE',
  ])
  if (!wanted['dry-run'] && !wanted.yes && !process.stdin.isTTY)
    throw new UsageFault('use --dry-run to see what would happen, or --yes to do it')
  const source = openSource(kind, names, wanted)
  return await withInstance({ mayBeNew: false }, async ctx => {
    const project = await findProject(ctx, wanted.project)
    await confirm(project.name, wanted)
    return await run(ctx, project.id, source, wanted)
  })
}

async function confirm(name: string, wanted: Wanted): Promise<void> {
  if (wanted['dry-run'] || wanted.yes) return
  await askFor(`Import into the project "${name}"?`, 'nothing was imported')
}

async function run(ctx: Context, projectId: string, source: ImportSource, wanted: Wanted): Promise<number> {
  const report: ImportReport = {
    ...emptyReport(),
    ...(wanted.report ? { onLoss: lossTable(wanted.report) } : {}),
  }
  const isDryRun = wanted['dry-run']
  const segmentsOf = ({ lists }: PeerRecord): string[] => [
    ...new Set([...(wanted.segment ? [wanted.segment] : []), ...(wanted.lists ? lists : [])]),
  ]
  const { notes, lists = [] } = (await source.outlook?.()) ?? { notes: [] }
  const segments = await findSegments(ctx, projectId, wanted.lists ? lists : [])
  const topics = await findTopics(ctx, projectId, wanted.topics ? 'make' : 'refuse', lists)
  report.notes.push(...notes, ...(wanted.topics ? topicNotes(lists) : []))
  const onBatch = progress()
  try {
    const to = { segmentsOf, segments, topics }
    await applySource(ctx, source, { projectId, isDryRun, ...to, report, onBatch })
    await applyContent(ctx, source, { projectId, isDryRun, report, topics, from: wanted.from })
  } catch (error) {
    if (report.read > 0 && !isDryRun)
      console.error(`stopped after ${report.read} records; what was done stays done, and it may be run again`)
    throw error
  }
  console.log(reportText(report, isDryRun))
  return 0
}

const linesEveryMs = 2_000

/** A line now and then on standard error, so that standard output holds the report alone. */
function progress(): (report: ImportReport) => void {
  const startedAt = performance.now()
  let shownAt = startedAt
  return ({ read, refused }) => {
    const now = performance.now()
    if (now - shownAt < linesEveryMs) return
    shownAt = now
    const seconds = Math.round((now - startedAt) / 1_000)
    console.error(`${read.toLocaleString('en')} read, ${refused.toLocaleString('en')} refused, ${seconds} s`)
  }
}
