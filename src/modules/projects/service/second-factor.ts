// What becomes of a member's second factor stands in the audit log of each of their projects.
import type { Context } from '../../../platform/context'
import { selectUser } from '../../users'
import { selectProjectsOfUser } from '../queries'
import { recordAudit } from './audit'

export async function noteSecondFactor(
  tx: Context,
  { userId, by, isOn }: { userId: string; by: string; isOn: boolean },
): Promise<void> {
  const user = await selectUser(tx, userId)
  const action = isOn ? 'member.secondFactorAdded' : 'member.secondFactorRemoved'
  for (const { project } of await selectProjectsOfUser(tx, userId))
    await recordAudit(tx, { projectId: project.id, actor: by, action, subject: user?.email })
}
