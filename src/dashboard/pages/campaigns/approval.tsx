// Approval of a campaign by a second member: asking for it, deciding, and where it stands.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
    { refetchInterval: 10_000 },
  )

interface ApprovalStepProps {
  campaign: CampaignRow
  /** When it is to be sent, as it is typed; undefined is now. */
  at: Date | undefined
  /** Stores what is typed; undefined if something is missing. */
  store: () => Promise<CampaignRow | undefined>
  busy: boolean
  /** The button that sends. */
  children: ReactNode
}

/** What stands where the button that sends is: that button, once the campaign may be sent by the reader. */
export function ApprovalStep({ campaign, at, store, busy, children }: ApprovalStepProps) {
  const project = useProject()
  const { data } = useQuery({ ...approvalQuery(campaign), enabled: project.approvalRequired })
  const words = t.approval
  if (!project.approvalRequired)
    return maySend(project) ? children : <p className="text-quiet">{words.notYou}</p>
  if (!data) return null
  if (data.state === 'APPROVED')
    return (
      <div className="space-y-3">
        <p className="rounded-md bg-good-soft px-3 py-2">
          {words.approvedBy(data.decidedByEmail ?? words.someone, formatDateTime(data.decidedAt!))}
        </p>
        {maySend(project) ? children : <p className="text-quiet">{words.notYou}</p>}
      </div>
    )
  if (data.state === 'REQUESTED') return <Requested campaign={campaign} approval={data} />
  return <Ask campaign={campaign} approval={data} at={at} store={store} busy={busy} />
}

function Ask({
  campaign: { id },
  approval,
  at,
  store,
  busy,
}: Omit<ApprovalStepProps, 'children'> & { approval: Approval }) {
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

function Requested({ campaign: { id }, approval }: { campaign: CampaignRow; approval: Approval }) {
  const project = useProject()
  const { user } = useSession()
  const words = t.approval
  const { busy, error, run } = useAttempt()
  const fingerprint = approval.fingerprint ?? ''
  const params = { path: { id } }
  const isOwn = approval.requestedBy === user.id
  const when = approval.scheduledFor ? formatDateTime(approval.scheduledFor) : null
  const approve = () =>
    run(async () => {
      await answer(api.POST('/campaigns/{id}/approve', { params, body: { fingerprint } })).finally(() =>
        refresh('campaigns'),
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
      {!isOwn && maySend(project) && (
        <div className="flex flex-wrap gap-3">
          <Button variant="strong" className="flex-1" busy={busy} onClick={approve}>
            {words.approve}
          </Button>
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
