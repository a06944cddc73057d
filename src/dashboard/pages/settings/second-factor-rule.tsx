// Whether the project asks its members for a second factor: for the owner to decide, and for administrators to see whom it concerns.
import { answer, api } from '../../api/client'
import { type Project, refreshSession, useSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button, ButtonLink } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import type { Member } from './members'

interface RuleProps {
  project: Project
  members: Member[]
}

export function SecondFactorRule({ project, members }: RuleProps) {
  const words = t.secondFactor.rule
  const lacking = members.filter(({ secondFactor }) => secondFactor === 'OFF').length
  const { secondFactorRequired } = project
  return (
    <Card title={words.title} description={words.hint}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={secondFactorRequired ? 'good' : undefined}>
            {secondFactorRequired ? words.required : words.optional}
          </Badge>
          <span className="text-quiet">{words.lacking(lacking)}</span>
        </p>
        {project.role === 'OWNER' ? (
          <Switch project={project} members={members} lacking={lacking} />
        ) : (
          <p className="text-quiet">{words.ownerOnly}</p>
        )}
      </div>
    </Card>
  )
}

function Switch({ project, members, lacking }: RuleProps & { lacking: number }) {
  const { user } = useSession()
  const [busy, run] = useBusy()
  const words = t.secondFactor.rule
  const set = async (secondFactorRequired: boolean): Promise<void> => {
    const params = { path: { id: project.id } }
    await answer(api.PATCH('/users/@me/projects/{id}', { params, body: { secondFactorRequired } }))
    await refreshSession()
    toast(t.words.saved)
  }
  if (project.secondFactorRequired)
    return (
      <Button busy={busy} onClick={() => run(() => set(false))}>
        {words.drop}
      </Button>
    )
  const own = members.find(({ userId }) => userId === user.id)?.secondFactor
  if (own === 'OFF')
    return (
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-quiet">{words.ownFirst}</span>
        <ButtonLink to="/account">{t.secondFactor.setUp}</ButtonLink>
      </div>
    )
  return (
    <ConfirmButton
      label={words.require}
      title={words.question}
      consequence={words.consequence(lacking)}
      action={words.require}
      onConfirm={() => set(true)}
    />
  )
}
