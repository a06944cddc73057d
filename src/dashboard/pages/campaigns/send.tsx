// Sending a campaign, at once or at a time. The question names all that will happen, and only what was asked is sent: a draft is stored before
// the question, and changes to what is scheduled are published by the answer.
import { useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { ForWritersFields } from '../../app/rights'
import { refresh, useProject } from '../../app/session'
import { findingsOf } from '../../editor/findings'
import { leftoversQuery } from '../../editor/leftovers'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { ErrorNote } from '../../ui/error-note'
import { formatExact } from '../../ui/format'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { AbTestFields } from './ab-test'
import { smallTestFault, testGroup } from './ab-test-draft'
import { ApprovalStep } from './approval'
import { checksOf } from './checks'
import { audienceQuery, type CampaignRow, fetchCampaign, type VariantName } from './data'
import { Forecast } from './forecast'
import { useReach } from './reach'
import { Schedule } from './schedule'
import { momentOf, readSchedule, scheduleFaults } from './schedule-draft'
import { Summary } from './summary'
import { TimingFields } from './timing'
import { type DraftControl, hasUnpublished } from './use-campaign-draft'

/** What is asked, and then sent: nothing that is typed later changes it. */
interface Question {
  campaign: CampaignRow
  recipients: number
  /** Those of them who get it. */
  reached: number
  /** How many findings of the check are open, in all variants. */
  findings: number
  /** Undefined: now. */
  at: Date | undefined
  zone: string
  /** Changes to what is scheduled: a yes publishes them, and a no leaves them where they are. */
  isUnpublished: boolean
}

/** Of the place on the page that lists the findings. */
export const checkId = 'check'

export function goToCheck(): void {
  // A dialog that is closed gives the focus back first, and what it says is drawn.
  setTimeout(() => {
    const check = document.getElementById(checkId)
    check?.scrollIntoView({ block: 'center' })
    check?.focus({ preventScroll: true })
  })
}

/** Leads to the check where an error is about words that can't be read, which the check says of this variant; else false. */
export type ShowBroken = (error: unknown, variant: VariantName) => boolean

/** Thrown where the check says what is wrong. */
const said = new Error()

function actionOf({ at, campaign: { abTest }, recipients, reached }: Question): string {
  if (at) return t.campaigns.schedule
  if (!abTest) return t.campaigns.sendTo(reached)
  const { tested, isExact } = testGroup(abTest.share, abTest.variants.length + 1, recipients)
  return t.campaigns.sendVariants(tested, isExact)
}

const sendHint = (delaySeconds: number): string =>
  delaySeconds > 0 ? t.campaigns.sendDelayHint(delaySeconds) : t.campaigns.sendHint

export function Send({ control, showBroken }: { control: DraftControl; showBroken: ShowBroken }) {
  const { campaign, set, schedule, setSchedule, readyToSend, setProblem, refuse, remember } = control
  const draft = control.draft.value
  const { id } = campaign
  const queries = useQueryClient()
  const { sendDelaySeconds: delaySeconds } = useProject()
  const [question, setQuestion] = useState<Question>()
  const [busy, setBusy] = useState(false)
  const { data: reach } = useReach(draft.writing.type, draft.audience)
  const isLater = schedule.when === 'later'
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      const isUnpublished = hasUnpublished(control.draft)
      const stored = await readyToSend()
      if (!stored) return
      const { recipients, reached } = await queries.fetchQuery({
        ...audienceQuery(stored.type, stored),
        staleTime: 0,
      })
      const small = smallTestFault(draft.abTest, recipients)
      if (small && recipients > 0) return await refuse({ 'abTest.share': small })
      const leftovers = await queries.fetchQuery(leftoversQuery)
      const checks = await Promise.all(
        checksOf(queries, stored, isUnpublished).map(({ name, check }) =>
          check.catch(error => {
            throw showBroken(error, name) ? said : error
          }),
        ),
      )
      const findings = new Set(checks.flatMap(check => findingsOf(check, leftovers))).size
      if (reached === 0) setProblem(new Error(t.campaigns.nobody))
      else
        setQuestion({
          ...{ campaign: stored, recipients, reached, findings, isUnpublished },
          ...{ at: momentOf(schedule), zone: schedule.zone },
        })
    } catch (error) {
      if (error !== said) setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const start = async ({ campaign: asked, at, isUnpublished }: Question): Promise<void> => {
    const fault = at && scheduleFaults(schedule, Date.now())['scheduledFor']
    if (fault) throw new Error(fault)
    const stored = isUnpublished ? await control.store() : asked
    // The page says why.
    if (!stored) return
    const moment = at ? { scheduledFor: at.toISOString() } : { delaySeconds }
    const body = { expectedVersion: stored.version, ...moment }
    try {
      const sent = await answer(api.POST('/campaigns/{id}/send', { params: { path: { id } }, body }))
      await remember({ ...stored, ...sent!.data })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error
      // It says what is wrong with the approval, which asks for a new one.
      if (error.about.details?.['approval'])
        return await refresh('campaigns').finally(() => Promise.reject(error))
      await remember((await fetchCampaign(id))!)
      throw new Error(t.campaigns.changedMeanwhile)
    }
    void refresh('campaigns', 'list')
    // The results, and the way back, begin at the top, however far down the button was.
    if (!at) scrollTo({ top: 0 })
    if (at || delaySeconds === 0) toast(at ? t.campaigns.scheduled(formatExact(at)) : t.campaigns.started)
  }
  const showFindings = (): void => {
    setQuestion(undefined)
    goToCheck()
  }
  return (
    <Card title={t.campaigns.leave}>
      <div className="space-y-4">
        <ForWritersFields className="space-y-4">
          <Schedule value={schedule} onChange={setSchedule} />
          <TimingFields value={draft.timing} onChange={timing => set('timing', timing)} />
          <AbTestFields
            value={draft.abTest}
            onChange={abTest => set('abTest', abTest)}
            message={draft.writing}
            recipients={reach?.recipients}
          />
        </ForWritersFields>
        {reach?.reached === 0 && <ErrorNote error={new Error(t.campaigns.nobody)} />}
        {control.problem !== undefined && <ErrorNote error={control.problem} takesFocus />}
        <ApprovalStep
          campaign={campaign}
          at={momentOf(schedule)}
          choose={at => setSchedule(readSchedule(at, Date.now()))}
          store={readyToSend}
          busy={busy || control.busy}
        >
          <Button
            variant="strong"
            className="w-full"
            busy={busy || control.busy}
            disabled={reach?.reached === 0}
            onClick={ask}
          >
            {isLater ? t.campaigns.schedule : t.campaigns.sendNow}
          </Button>
        </ApprovalStep>
      </div>
      <Confirm
        open={question !== undefined}
        onClose={() => setQuestion(undefined)}
        title={question?.at ? t.campaigns.schedule : t.campaigns.sendNow}
        consequence={question?.at ? t.campaigns.scheduleHint : sendHint(delaySeconds)}
        action={question ? actionOf(question) : ''}
        actionVariant="strong"
        onConfirm={async () => question && (await start(question))}
      >
        {question?.isUnpublished && (
          <p className="rounded-md bg-accent-soft px-3 py-2">{t.campaigns.publishesToo}</p>
        )}
        {question && question.findings > 0 && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-warn-soft px-3 py-2">
            <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />
            <span className="min-w-0 flex-1">{t.campaigns.summary.findings(question.findings)}</span>
            <Button onClick={showFindings}>{t.campaigns.summary.toFindings}</Button>
          </p>
        )}
        {question && <Summary {...question} />}
        {question && <Forecast campaign={question.campaign} />}
      </Confirm>
    </Card>
  )
}
