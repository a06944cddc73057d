// A campaign that is being written is one draft. Each of its parts says here how it is read, what is saved of it, and what is still missing;
// the page has no other state that is sent. A new part is a member of `CampaignDraft`, and the compiler asks for the rest. Pure, but for
// templates that a variant copies.
import type { FilterTree } from '../../editor/filter/tree'
import { isComplete } from '../../editor/filter/tree'
import { missingOf, readWriting, savedOf, type Writing } from '../../editor/writing'
import { t } from '../../texts'
import { type AbTestDraft, abTestFaults, readAbTest, savedAbTest } from './ab-test-draft'
import type { Audience, CampaignRow } from './data'
import { readTiming, savedTiming, type TimingDraft, timingFaults } from './timing-draft'

export interface CampaignDraft {
  writing: Writing
  audience: Audience
  timing: TimingDraft
  abTest: AbTestDraft
}

export type PartName = keyof CampaignDraft

/** What is missing, by the name of the field. */
export type FieldFaults = Record<string, string>

export const tabs = ['write', 'audience', 'send'] as const
export type Tab = (typeof tabs)[number]

interface Part<T> {
  /** Where it is shown. */
  tab: Tab
  read: (campaign: CampaignRow, language: string) => T
  saved: (value: T, campaign: CampaignRow) => Promise<object> | object
  faults: (value: T) => FieldFaults
}

export const parts: { readonly [Name in PartName]: Part<CampaignDraft[Name]> } = {
  writing: {
    tab: 'write',
    read: readWriting,
    saved: savedOf,
    faults: missingOf,
  },
  audience: {
    tab: 'audience',
    read: ({ audienceType, segmentId, audienceCondition, topicId }) => ({
      ...{ audienceType, segmentId, audienceCondition, topicId },
    }),
    // What is scheduled keeps its audience.
    saved: (audience, { status }) => (status === 'DRAFT' ? onlyOwn(audience) : {}),
    faults: (audience): FieldFaults => (isWhole(audience) ? {} : { segmentId: t.campaigns.missing.audience }),
  },
  timing: { tab: 'send', read: readTiming, saved: savedTiming, faults: timingFaults },
  abTest: { tab: 'send', read: readAbTest, saved: savedAbTest, faults: abTestFaults },
}

export const partNames = Object.keys(parts) as PartName[]

/** One by one, as each has a type of its own. */
const partOf = (name: PartName) => parts[name] as Part<unknown>

export function readCampaignDraft(campaign: CampaignRow, language: string): CampaignDraft {
  const read = partNames.map(name => [name, partOf(name).read(campaign, language)])
  return Object.fromEntries(read) as CampaignDraft
}

/** The body of the request that stores it, but for what is incomplete: of the message its fields, else the part. */
export async function savedDraft(draft: CampaignDraft, campaign: CampaignRow): Promise<object> {
  const saved = await Promise.all(
    partNames.map(async name => {
      const missing = Object.keys(partOf(name).faults(draft[name]))
      if (missing.length > 0 && name !== 'writing') return {}
      const members = Object.entries(await partOf(name).saved(draft[name], campaign))
      return Object.fromEntries(members.filter(([member]) => !missing.includes(member)))
    }),
  )
  return Object.assign({}, ...saved)
}

/** What of a draft would be stored, without asking the server. */
export function comparable({ writing, audience, timing, abTest }: CampaignDraft): object {
  return [savedOf(writing), onlyOwn(audience), savedTiming(timing), abTest.isOn && abTest]
}

/** What is missing before all of it can be stored, and where the first of it is shown. */
export function draftFaults(draft: CampaignDraft): { faults: FieldFaults; tab: Tab | undefined } {
  const all = partNames.map(name => ({ tab: parts[name].tab, faults: partOf(name).faults(draft[name]) }))
  const first = all.find(({ faults }) => Object.keys(faults).length > 0)
  return { faults: Object.assign({}, ...all.map(({ faults }) => faults)), tab: first?.tab }
}

/** Where a field is that the server refused. */
export function tabOf(field: string): Tab {
  if (/^(?:timing|abTest)\b/.test(field)) return 'send'
  return /^(?:audience|segment|topic)/.test(field) ? 'audience' : 'write'
}

export function onlyOwn({ audienceType, segmentId, audienceCondition, topicId }: Audience): Audience {
  return {
    audienceType,
    segmentId: audienceType === 'SEGMENT' ? segmentId : null,
    audienceCondition: audienceType === 'FILTERED' ? audienceCondition : (null as never),
    topicId,
  }
}

export function isWhole({ audienceType, segmentId, audienceCondition }: Audience): boolean {
  if (audienceType === 'SEGMENT') return Boolean(segmentId)
  return audienceType === 'ALL' || isComplete((audienceCondition ?? undefined) as FilterTree | undefined)
}
