// The one draft of the page: every part takes its value from here and changes it here, one Save stores all of it, and nothing is sent before
// what is shown is what is stored.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { renew } from '../../api/renew'
import { useProject } from '../../app/session'
import { useSaving } from '../../editor/save'
import { type Edited, useEdited } from '../../editor/use-edited'
import { t } from '../../texts'
import { type CampaignRow, campaignQuery, fetchCampaign } from './data'
import { forgetSchedule, keepSchedule, keptSchedule } from './kept-schedule'
import {
  type CampaignDraft,
  draftFaults,
  type FieldFaults,
  type PartName,
  readCampaignDraft,
  savedDraft,
  type Tab,
  tabOf,
} from './parts'
import { readSchedule, type ScheduleDraft, scheduleFaults } from './schedule-draft'

export interface DraftControl {
  campaign: CampaignRow
  draft: CampaignDraft
  edited: Edited<CampaignDraft>
  /** What somebody else stored meanwhile: to be overwritten, taken, or looked at first. */
  theirs: CampaignRow | undefined
  keep: () => Promise<CampaignRow | undefined>
  take: () => Promise<unknown>
  close: () => void
  set: <Name extends PartName>(name: Name, value: CampaignDraft[Name]) => void
  schedule: ScheduleDraft
  setSchedule: (schedule: ScheduleDraft) => void
  /** By the names of the fields; gone with the next change or try. */
  faults: FieldFaults
  problem: unknown
  setProblem: (problem: unknown) => void
  /** Says what is wrong at fields of the last part, and leads to the first. */
  refuse: (faults: FieldFaults) => Promise<undefined>
  busy: boolean
  /** The campaign as it is shown, stored. Undefined if that is refused, and then the page says why. */
  store: () => Promise<CampaignRow | undefined>
  /** The same, and the time at which it is to be sent is complete and not over. */
  storeToSend: () => Promise<CampaignRow | undefined>
  remember: (stored: CampaignRow) => Promise<void>
}

export function useCampaignDraft(campaign: CampaignRow, show: (tab: Tab) => Promise<unknown>): DraftControl {
  const { id } = campaign
  const queries = useQueryClient()
  const { language } = useProject()
  const read = useMemo(() => readCampaignDraft(campaign, language), [campaign, language])
  const edited = useEdited(`campaign.${id}`, campaign, read)
  const [chosen, setChosen] = useState<ScheduleDraft | undefined>(() => keptSchedule(id))
  const { scheduledFor } = campaign
  const stored = useMemo(() => readSchedule(scheduledFor, Date.now()), [scheduledFor])
  const schedule = chosen ?? stored
  const [state, setState] = useState<{ faults: FieldFaults; problem?: unknown; busy?: boolean }>({
    faults: {},
  })
  const remember = (row: CampaignRow): Promise<void> => {
    if (row.status !== 'DRAFT') forgetSchedule(id)
    return renew(queries, campaignQuery(id).queryKey, row)
  }
  const saving = useSaving(edited, {
    async change(draft, expectedVersion) {
      const body = { ...(await savedDraft(draft, campaign)), expectedVersion }
      return await answer(api.PUT('/campaigns/{id}', { params: { path: { id } }, body: body as never }))
    },
    load: async () => (await fetchCampaign(id))!,
    read: row => readCampaignDraft(row, language),
    remember,
  })
  /** Leads to the first field; `problem` is shown as well if some of it is at no field. */
  const point = async (faults: FieldFaults, tab: Tab, problem?: unknown): Promise<undefined> => {
    setState({ faults })
    await show(tab)
    await new Promise(requestAnimationFrame)
    const fields = Object.keys(faults).map(name => document.getElementsByName(name)[0])
    fields.find(field => field)?.focus()
    if (fields.some(field => !field)) setState({ faults, problem })
    return undefined
  }
  const told = async (work: () => Promise<CampaignRow | undefined>): Promise<CampaignRow | undefined> => {
    setState({ faults: {}, busy: true })
    try {
      const saved = await work()
      setState({ faults: {} })
      return saved
    } catch (problem) {
      const refused = (problem instanceof ApiError && problem.about.faults) || []
      const first = refused[0]
      if (!first) setState({ faults: {}, problem })
      else {
        const named = Object.fromEntries(refused.map(({ field, message }) => [field, message]))
        await point(named, tabOf(first.field), problem)
      }
      return undefined
    }
  }
  const store = async (): Promise<CampaignRow | undefined> => {
    const { faults, tab } = draftFaults(edited.value)
    if (tab) return point(faults, tab)
    if (edited.isDirty) return await told(saving.save)
    setState({ faults: {} })
    return campaign
  }
  return {
    ...{ campaign, draft: edited.value, edited, theirs: saving.theirs, schedule, store, remember },
    keep: () => told(saving.keep),
    take: () => told(async () => void (await saving.take())),
    close: saving.close,
    faults: state.faults,
    problem: state.problem,
    busy: state.busy ?? false,
    set(name, value) {
      if (JSON.stringify(edited.value[name]) === JSON.stringify(value)) return
      edited.change(old => ({ ...old, [name]: value }))
      setState(old => ({ ...old, faults: {}, problem: undefined }))
    },
    setSchedule(next) {
      setChosen(next)
      keepSchedule(id, next)
      setState(old => ({ ...old, faults: {}, problem: undefined }))
    },
    setProblem: problem => setState(old => ({ ...old, problem })),
    refuse: faults => point(faults, 'send'),
    async storeToSend() {
      // What was found in this browser is not stored either: it is taken or discarded first.
      if (edited.offered) {
        setState(old => ({ ...old, problem: new Error(t.campaigns.draftOffered) }))
        return undefined
      }
      const faults = scheduleFaults(schedule, Date.now())
      if (Object.keys(faults).length > 0) return point(faults, 'send')
      return await store()
    },
  }
}
