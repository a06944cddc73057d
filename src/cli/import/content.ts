// What a source has besides contacts: layouts, templates, segments, campaigns and workflows. Each is taken as a whole, with the same checks
// as if a person saved it, or not at all; if its name is taken here, what is here stays as it is, so that a second run changes nothing.
import { AppError } from '../../lib/errors'
import { createCampaign } from '../../modules/features/campaigns'
import { createSegment } from '../../modules/features/segments'
import { createLayout, createTemplate, maxLayoutLength } from '../../modules/sending/templates'
import { type Context, inTransaction } from '../../platform/context'
import { findContent, type KnownContent, notTaken } from './known-content'
import type { Topics } from './lists'
import type { ContentItem, ContentKind, ImportSource } from './record'
import { keepOrTakeBack } from './rehearsal'
import { type ImportReport, noteLost } from './report'
import { makeWorkflow } from './workflow'

export interface ContentChoices {
  projectId: string
  isDryRun: boolean
  report: ImportReport
  topics: Topics
  /** The sender of whatever names one that is not verified here. */
  from?: string | undefined
}

/** A dry run does it all in one transaction, which is rolled back: later items may refer to earlier ones. */
export async function applyContent(
  ctx: Context,
  source: ImportSource,
  choices: ContentChoices,
): Promise<void> {
  if (!source.content) return
  const known = await findContent(ctx, choices.projectId)
  if (choices.isDryRun) return await keepOrTakeBack(ctx, true, tx => takeAll(tx, source, choices, known))
  await takeAll(ctx, source, choices, known)
}

async function takeAll(
  ctx: Context,
  source: ImportSource,
  choices: ContentChoices,
  known: KnownContent,
): Promise<void> {
  for await (const item of source.content!()) await take(ctx, item, choices, known)
}

async function take(
  ctx: Context,
  item: ContentItem,
  choices: ContentChoices,
  known: KnownContent,
): Promise<void> {
  const { report } = choices
  if (item.kind === 'nothing') return noteLost(report, item.place, item.reason)
  const place = `${item.place} (${item.name})`
  if (item.faults.length > 0) {
    for (const fault of item.faults) noteLost(report, place, `not taken: ${fault}`)
    return
  }
  const counts = report.content.get(item.kind) ?? { created: 0, present: 0 }
  report.content.set(item.kind, counts)
  const name = known.nameFor(item)
  const there = known.idOf(item.kind, name)
  if (there !== undefined) {
    counts.present++
    return known.remember(item, name, there)
  }
  try {
    const id = await inTransaction(ctx, tx => make(tx, item, name, choices, known, place))
    known.remember(item, name, id)
    counts.created++
    for (const note of item.notes ?? []) noteLost(report, place, note)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    noteLost(report, place, `not taken: ${wordsOf(error)}`)
  }
}

function wordsOf(error: AppError): string {
  const [first] = error.errors ?? []
  return first ? `${first.field}: ${first.message}` : error.message
}

type Item<K extends ContentKind> = Extract<ContentItem, { kind: K }>

async function make(
  tx: Context,
  item: Exclude<ContentItem, { kind: 'nothing' }>,
  name: string,
  choices: ContentChoices,
  known: KnownContent,
  place: string,
): Promise<string> {
  const { projectId } = choices
  refuseTooLong(item)
  switch (item.kind) {
    case 'layout':
      return (await createLayout(tx, projectId, { name, body: item.body })).id
    case 'segment':
      return (await createSegment(tx, projectId, { ...item.segment, name })).id
    case 'template':
      return (await makeTemplate(tx, item, name, choices, place)).id
    case 'campaign':
      return await makeDraft(tx, item, name, choices, known, place)
    case 'workflow':
      return await makeWorkflow(tx, projectId, item, name, known)
  }
}

async function makeTemplate(
  tx: Context,
  { message, type }: Item<'template'>,
  name: string,
  choices: ContentChoices,
  place: string,
): Promise<{ id: string }> {
  return await withSender(choices, place, message.from, from =>
    createTemplate(tx, choices.projectId, { ...message, ...from, name, type }),
  )
}

async function makeDraft(
  tx: Context,
  { message, type, audience, layout }: Item<'campaign'>,
  name: string,
  choices: ContentChoices,
  known: KnownContent,
  place: string,
): Promise<string> {
  const layoutId = layout === undefined ? null : known.requireKey('layout', layout)
  const body = { ...message, name, type, layoutId, ...(await audienceOf(tx, audience, choices, known)) }
  const { row } = await withSender(choices, place, message.from, from =>
    createCampaign(tx, choices.projectId, { ...body, ...from }),
  )
  return row.id
}

async function audienceOf(
  tx: Context,
  audience: Item<'campaign'>['audience'],
  { topics }: ContentChoices,
  known: KnownContent,
) {
  if ('condition' in audience)
    return { audienceType: 'FILTERED' as const, audienceCondition: audience.condition as never }
  if ('segment' in audience)
    return { audienceType: 'SEGMENT' as const, segmentId: known.requireKey('segment', audience.segment) }
  if ('everybody' in audience) return { audienceType: 'ALL' as const }
  const ids: string[] = []
  for (const name of audience.lists) ids.push(await topics.idOf(tx, name))
  if (ids.length === 1) return { audienceType: 'ALL' as const, topicId: ids[0]! }
  const groups = ids.map(id => ({ filters: [{ field: `topic.${id}`, operator: 'equals', value: true }] }))
  return { audienceType: 'FILTERED' as const, audienceCondition: { logic: 'OR', groups } as never }
}

/** Lengths that our API refuses before a service is called. */
const longest = { subject: 998, body: 2_000_000, from: 320, fromName: 100, replyTo: 320, description: 500 }

function refuseTooLong(item: Exclude<ContentItem, { kind: 'nothing' }>): void {
  const given: Readonly<Record<string, unknown>> = 'message' in item ? { ...item.message } : { ...item }
  for (const [member, most] of Object.entries(longest)) {
    const value = given[member]
    if (typeof value === 'string' && value.length > (item.kind === 'layout' ? maxLayoutLength : most))
      throw notTaken(`${member} is longer than ${most} characters`)
  }
}

/** The one that was named, if the item's own sender is not verified here. */
async function withSender<T>(
  { from, report }: ContentChoices,
  place: string,
  own: string,
  create: (from: { from: string; fromName?: null }) => Promise<T>,
): Promise<T> {
  if (own === '' && from === undefined) throw notTaken('its sender is not known: name one with --from')
  try {
    return await create({ from: own || from! })
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 403 || from === undefined) throw error
    const made = await create({ from })
    noteLost(report, place, `its sender ${own} is not verified here: it is from ${from}`)
    return made
  }
}
