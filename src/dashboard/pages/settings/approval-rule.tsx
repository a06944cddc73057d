// Whether a second member approves each campaign: turned on by administrators, off by the owner.
import { answer, api } from '../../api/client'
import { maySend, type Project, refreshSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'

interface ApprovalRuleProps {
  project: Project
  members: ReadonlyArray<Pick<Project, 'role'>>
}

export function ApprovalRule({ project, members }: ApprovalRuleProps) {
  const words = t.approval.rule
  const [busy, run] = useBusy()
  const { approvalRequired } = project
  const set = async (isOn: boolean): Promise<void> => {
    const params = { path: { id: project.id } }
    await answer(api.PATCH('/users/@me/projects/{id}', { params, body: { approvalRequired: isOn } }))
    await refreshSession()
    toast(t.words.saved)
  }
  const isLocked = approvalRequired ? project.role !== 'OWNER' : members.filter(maySend).length < 2
  return (
    <Card title={words.title} description={words.hint}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Badge tone={approvalRequired ? 'good' : undefined}>{approvalRequired ? words.on : words.off}</Badge>
        {isLocked ? (
          <p className="text-quiet">{approvalRequired ? words.ownerOnly : words.tooFew}</p>
        ) : (
          <Button busy={busy} onClick={() => run(() => set(!approvalRequired))}>
            {approvalRequired ? words.turnOff : words.turnOn}
          </Button>
        )}
      </div>
    </Card>
  )
}
