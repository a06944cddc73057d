// When each recipient gets a campaign, as it is typed, and as it is saved. Pure.
import { t } from '../../texts'
import { unfinished } from '../../ui/typed'
import type { CampaignRow } from './data'

export interface TimingDraft {
  isOn: boolean
  localTime: string
  passed: 'NEXT_DAY' | 'NOW'
  from: string
  to: string
  weekdays: number[]
  spreadHours: string
}

const wholeDay = { from: '00:00', to: '24:00' }
export const allDays = [1, 2, 3, 4, 5, 6, 7]

export function readTiming({ timing }: Pick<CampaignRow, 'timing'>): TimingDraft {
  const hours = timing?.window
  return {
    isOn: timing !== null,
    localTime: timing?.localTime ?? '',
    passed: timing?.passed ?? 'NEXT_DAY',
    from: hours && hours.from !== wholeDay.from ? hours.from : '',
    to: hours && hours.to !== wholeDay.to ? hours.to : '',
    weekdays: hours?.weekdays ?? allDays,
    spreadHours: String(timing?.spreadHours ?? ''),
  }
}

/** Hours without an end go on until midnight; weekdays alone mean all of the day. */
export function savedTiming({ isOn, localTime, passed, spreadHours, ...hours }: TimingDraft): {
  timing: CampaignRow['timing']
} {
  const weekdays = hours.weekdays.length === 0 ? allDays : hours.weekdays
  const [from, to] = [hours.from || wholeDay.from, hours.to || wholeDay.to]
  const isAlways = from === wholeDay.from && to === wholeDay.to && weekdays.length === allDays.length
  const window = isAlways ? null : { from, to, weekdays }
  const spread = Number(spreadHours) || null
  if (!isOn || !(localTime || window || spread)) return { timing: null }
  return { timing: { localTime: localTime || null, passed, window, spreadHours: spread } }
}

export function timingFaults(draft: TimingDraft): Record<string, string> {
  if (!draft.isOn) return {}
  const { missing } = t.campaigns
  const times = { 'timing.localTime': draft.localTime, 'timing.window': draft.from, to: draft.to }
  const open = Object.entries(times).filter(([, value]) => value === unfinished)
  const faults = Object.fromEntries(open.map(([name]) => [name, missing.time]))
  if (draft.spreadHours !== '' && !isWithin(draft.spreadHours, 1, 168))
    faults['timing.spreadHours'] = missing.number(1, 168)
  if (Object.keys(faults).length === 0 && savedTiming(draft).timing === null)
    faults['timing.localTime'] = missing.timing
  return faults
}

/** Whole numbers only. */
export function isWithin(text: string, least: number, most: number): boolean {
  return /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most
}
