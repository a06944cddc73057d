// Approval of a campaign by a second member: asking for it, deciding, and where it stands.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { readQuery } from '../../api/queries'
import { maySend, mayWrite, refresh, useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { TextArea } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'
import { formatDateTime } from '../../ui/format'
import { toast } from '../../ui/toast'
import type { CampaignRow } from './data'

type Approval = Schemas['CampaignApproval']

/** By version: what is approved is one version of the campaign. */
const approvalQuery = ({ id, version, scheduledFor }: CampaignRow) =>
  readQuery(
    ['campaigns', 'approval', id, version, scheduledFor],
    '/campaigns/{id}/approval',
    { path: { id } },
    // Members who wait see the decision soon. Once it is approved, each request makes the server count the audience.
    { refetchInterval: ({ state }) => (state.data?.state === 'APPROVED' ? 60_000 : 10_000) },
  )

interface ApprovalStepProps {
  campaign: CampaignRow
  /** When it is to be sent, as it is typed; undefined is now. */
  at: Date | undefined
  /** Stores what is typed; undefined if something is missing. */
  store: () => Promise<CampaignRow | undefined>
  /** Chooses a send time; null is now. */
  choose: (at: string | null) => void
  busy: boolean
  /** The button that sends. */
  children: ReactNode
}

/** The button that sends, if the reader may send the campaign now; else how far its approval is. */
export function ApprovalStep(props: ApprovalStepProps) {
  const { campaign, at, choose, children } = props
  const project = useProject()
  /** What the reader sees: the request's fingerprint when the page was loaded. A later request has to be shown before it can be approved. */
  const [seen, setSeen] = useState<string | null>()
  const { data } = useQuery({ ...approvalQuery(campaign), enabled: project.approvalRequired })
  const words = t.approval
  if (!project.approvalRequired)
    return maySend(project) ? children : <p className="text-quiet">{words.notYou}</p>
  if (!data) return null
  if (seen === undefined) setSeen(data.fingerprint)
  const isOtherTime = campaign.status === 'DRAFT' && data.scheduledFor !== (at?.toISOString() ?? null)
  const isPassed = data.scheduledFor !== null && Date.parse(data.scheduledFor) <= Date.now()
  if (data.state === 'APPROVED' && campaign.status === 'DRAFT' && (isOtherTime || isPassed))
    return (
      <div className="space-y-3">
        <div className="space-y-2 rounded-md bg-warn-soft px-3 py-2">
          <p>
            {words.approvedFor(
              data.decidedByEmail ?? words.someone,
              data.scheduledFor && formatDateTime(data.scheduledFor),
            )}
          </p>
          {!isPassed && (
            <Button onClick={() => choose(data.scheduledFor)}>
              {words.chooseApproved(data.scheduledFor)}
            </Button>
          )}
        </div>
        <Ask {...props} approval={data} />
      </div>
    )
  if (data.state === 'APPROVED')
    return (
      <div className="space-y-3">
        <p className="rounded-md bg-good-soft px-3 py-2">
          {words.approvedBy(data.decidedByEmail ?? words.someone, formatDateTime(data.decidedAt!))}
        </p>
        {maySend(project) ? children : <p className="text-quiet">{words.notYou}</p>}
      </div>
    )
  if (data.state !== 'REQUESTED') return <Ask {...props} approval={data} />
  const isOlder = data.version !== campaign.version || (seen !== undefined && data.fingerprint !== seen)
  const reload = async (): Promise<void> => {
    await refresh('campaigns')
    setSeen(undefined)
  }
  return <Requested campaign={campaign} approval={data} isOlder={isOlder} reload={reload} />
}

function Ask({
  campaign: { id },
  approval,
  at,
  store,
  busy,
}: Omit<ApprovalStepProps, 'children' | 'choose'> & { approval: Approval }) {
  const project = useProject()
  const words = t.approval
  const { busy: asking, error, run } = useAttempt()
  const ask = () =>
    run(async () => {
      if (!(await store())) return
      const body = { scheduledFor: at?.toISOString() ?? null }
      await answer(api.POST('/campaigns/{id}/request-approval', { params: { path: { id } }, body }))
      await refresh('campaigns')
      toast(words.requested)
    })
  return (
    <div className="space-y-3">
      {approval.state === 'ENDED' && (
        <p className="rounded-md bg-warn-soft px-3 py-2">{words.ended(approval.fault ?? '')}</p>
      )}
      {approval.state === 'DECLINED' && (
        <div className="rounded-md bg-warn-soft px-3 py-2">
          <p>{words.declinedBy(approval.decidedByEmail ?? words.someone)}</p>
          {approval.reason && <p className="wrap-anywhere">“{approval.reason}”</p>}
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      {mayWrite(project) && (
        <Button variant="strong" className="w-full" busy={busy || asking} onClick={ask}>
          {words.request}
        </Button>
      )}
      <p className="text-quiet">{words.hint}</p>
    </div>
  )
}

interface RequestedProps {
  campaign: CampaignRow
  approval: Approval
  /** What the page shows is not what approval was requested for. */
  isOlder: boolean
  reload: () => Promise<void>
}

function Requested({ campaign: { id, version }, approval, isOlder, reload }: RequestedProps) {
  const project = useProject()
  const { user } = useSession()
  const words = t.approval
  const { busy, error, run } = useAttempt()
  // As the server has it: an owner needs no proof.
  const isProved = user.emailVerified || project.role === 'OWNER'
  const fingerprint = approval.fingerprint ?? ''
  const params = { path: { id } }
  const isOwn = approval.requestedBy === user.id
  const when = approval.scheduledFor ? formatDateTime(approval.scheduledFor) : null
  const approve = () =>
    run(async () => {
      const body = { fingerprint, expectedVersion: version }
      await answer(api.POST('/campaigns/{id}/approve', { params, body })).finally(() =>
        refresh('campaigns', 'approval'),
      )
      toast(words.approved)
    })
  const decline = async ({ reason = '' }: Values): Promise<string> => {
    await answer(
      api.POST('/campaigns/{id}/decline', { params, body: { fingerprint, reason: reason.trim() || null } }),
    )
    await refresh('campaigns')
    return words.declined
  }
  return (
    <div className="space-y-3">
      <div className="rounded-md bg-accent-soft px-3 py-2">
        <p>
          {isOwn
            ? words.requestedByYou(formatDateTime(approval.requestedAt!))
            : words.requestedBy(
                approval.requestedByEmail ?? words.someone,
                formatDateTime(approval.requestedAt!),
              )}
        </p>
        <p className="text-quiet">{words.covers(approval.recipients ?? 0, when)}</p>
      </div>
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      {!isOwn && maySend(project) && isOlder && (
        <div role="status" className="space-y-2 rounded-md bg-warn-soft px-3 py-2">
          <p>{words.older}</p>
          <Button busy={busy} onClick={() => run(reload)}>
            {words.showNew}
          </Button>
        </div>
      )}
      {!isOwn && maySend(project) && !isOlder && !isProved && (
        <p className="rounded-md bg-warn-soft px-3 py-2">{words.proveFirst}</p>
      )}
      {!isOwn && maySend(project) && !isOlder && (
        <div className="flex flex-wrap gap-3">
          {isProved && (
            <Button variant="strong" className="flex-1" busy={busy} onClick={approve}>
              {words.approve}
            </Button>
          )}
          <FormDialogButton
            label={words.decline}
            title={words.declineTitle}
            description={words.declineHint}
            action={words.decline}
            onSubmit={decline}
          >
            <TextArea name="reason" label={words.reason} maxLength={500} rows={3} />
          </FormDialogButton>
        </div>
      )}
    </div>
  )
}
