// The one draft of the page: every part takes its value from here and changes it here, all of it is stored together, and nothing is sent
// before what is shown is what is stored.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { renew } from '../../api/renew'
import { useProject } from '../../app/session'
import { storeAccepted } from '../../editor/store-accepted'
import { type Drafted, useStoredDraft } from '../../editor/use-draft'
import { copied } from './ab-test-draft'
import { type CampaignRow, campaignQuery, fetchCampaign } from './data'
import { clearSchedule, keepSchedule, keptSchedule } from './kept-schedule'
import {
  type CampaignDraft,
  comparable,
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
  draft: Drafted<CampaignDraft, CampaignRow>
  /** Stores it over what another person stored. */
  keepMine: () => Promise<CampaignRow | undefined>
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
  /**
   * The campaign as it would be sent, if its send time is complete and not over. A draft is stored by that; changes to what is scheduled are
   * not: they wait for a yes.
   */
  readyToSend: () => Promise<CampaignRow | undefined>
  remember: (stored: CampaignRow) => Promise<void>
}

/** Changes to what is scheduled, which only a press publishes. */
export const hasUnpublished = ({
  isLive,
  isDirty,
}: Pick<DraftControl['draft'], 'isLive' | 'isDirty'>): boolean => isLive && isDirty

export function useCampaignDraft(campaign: CampaignRow, lead: (tab: Tab) => Promise<unknown>): DraftControl {
  const { id } = campaign
  const queries = useQueryClient()
  const { language } = useProject()
  const [chosen, setChosen] = useState<ScheduleDraft | undefined>(() => keptSchedule(id))
  const { scheduledFor } = campaign
  const planned = useMemo(() => readSchedule(scheduledFor, Date.now()), [scheduledFor])
  const schedule = chosen ?? planned
  const [state, setState] = useState<{ faults: FieldFaults; problem?: unknown; busy?: boolean }>({
    faults: {},
  })
  const remember = (row: CampaignRow): Promise<void> => {
    if (row.status !== 'DRAFT') clearSchedule(id)
    return renew(queries, campaignQuery(id).queryKey, row)
  }
  const draft = useStoredDraft<CampaignDraft, CampaignRow>({
    name: `campaign.${id}`,
    stored: campaign,
    // What is scheduled is sent as it is stored then.
    live: campaign.status !== 'DRAFT',
    isLive: async () => (await fetchCampaign(id)).status !== 'DRAFT',
    read: row => readCampaignDraft(row, language),
    saved: comparable,
    async store(value, { version, isPressed, leaving }) {
      const missing = draftFaults(value).faults
      const body = { ...(await savedDraft(value, campaign)), expectedVersion: version }
      const put = (given: object): Promise<CampaignRow> => {
        const params = { path: { id } }
        return answer(api.PUT('/campaigns/{id}', { params, body: given as never, keepalive: leaving }))
      }
      return isPressed ? { stored: await put(body), missing } : await storeAccepted(body, missing, put)
    },
    load: () => fetchCampaign(id),
    remember,
    // What was copied from a template is the campaign's own now.
    settle: (value, stored) =>
      value.abTest.isOn && stored.abTest ? { ...value, abTest: copied(value.abTest, stored) } : value,
  })
  /** Leads to the first field; `problem` is shown as well if some of it is at no field. */
  const point = async (faults: FieldFaults, tab: Tab, problem?: unknown): Promise<undefined> => {
    flushSync(() => setState({ faults }))
    await lead(tab)
    await new Promise(requestAnimationFrame)
    const fields = Object.keys(faults).map(name => document.getElementsByName(name)[0])
    fields.find(field => field)?.focus()
    if (fields.some(field => !field)) setState({ faults, problem })
    return undefined
  }
  const withNotice = async (
    work: () => Promise<CampaignRow | undefined>,
  ): Promise<CampaignRow | undefined> => {
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
  const stored = async (work: () => Promise<CampaignRow | undefined>): Promise<CampaignRow | undefined> => {
    const { faults, tab } = draftFaults(draft.value)
    if (tab) return await point(faults, tab)
    return await withNotice(work)
  }
  const store = (): Promise<CampaignRow | undefined> => stored(() => draft.store({ isPressed: true }))
  return {
    ...{ campaign, draft, schedule, store, remember },
    keepMine: () => stored(draft.keepMine),
    faults: state.faults,
    problem: state.problem,
    busy: state.busy ?? false,
    set(name, value) {
      if (JSON.stringify(draft.value[name]) === JSON.stringify(value)) return
      draft.change(old => ({ ...old, [name]: value }))
      setState(old => ({ ...old, faults: {}, problem: undefined }))
    },
    setSchedule(next) {
      setChosen(next)
      keepSchedule(id, next)
      setState(old => ({ ...old, faults: {}, problem: undefined }))
    },
    setProblem: problem => setState(old => ({ ...old, problem })),
    refuse: faults => point(faults, 'send'),
    async readyToSend() {
      const faults = scheduleFaults(schedule, Date.now())
      if (Object.keys(faults).length > 0) return point(faults, 'send')
      if (!hasUnpublished(draft)) return await store()
      const { value } = draft
      return await stored(async () => ({ ...campaign, ...(await savedDraft(value, campaign)) }))
    },
  }
}
