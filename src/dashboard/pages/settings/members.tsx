// Who belongs to the project, who is invited, and with which role.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { leaveFor } from '../../app/page-address'
import { isAdmin, type Project, useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { inputClass } from '../../ui/field'
import { formatDate } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { toast, toastError } from '../../ui/toast'
import { SettingsPage } from './frame'
import { Invite } from './invite'
import { SecondFactorRule } from './second-factor-rule'
import { TakeOut } from './take-out'

const pathOf = (id: string) => ({ params: { path: { id } } })

const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['members'],
    queryFn: ({ signal }) => answer(api.GET('/projects/{id}/members', { ...pathOf(id), signal })),
  })

const invitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['members', 'invitations'],
    queryFn: ({ signal }) => answer(api.GET('/projects/{id}/invitations', { ...pathOf(id), signal })),
  })

export type Member = Awaited<ReturnType<NonNullable<ReturnType<typeof membersQuery>['queryFn']>>>[number]

export function Members() {
  const project = useProject()
  const members = useQuery(membersQuery(project.id))
  return (
    <SettingsPage name={t.settings.tabs.members}>
      <Card
        title={t.settings.tabs.members}
        description={t.settings.members.hint}
        actions={isAdmin(project) && <Invite projectId={project.id} />}
      >
        <Loaded query={members}>
          {list => (
            <ul className="-my-3 divide-y divide-line">
              {list.map(member => (
                <MemberRow key={member.userId} member={member} project={project} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      {isAdmin(project) && <Invitations projectId={project.id} />}
      {isAdmin(project) && members.data && <SecondFactorRule project={project} members={members.data} />}
      <Card title={t.settings.members.roles}>
        <dl className="space-y-2">
          {(['OWNER', 'ADMIN', 'MEMBER'] as const).map(role => (
            <div key={role} className="grid gap-x-4 md:grid-cols-[6rem_minmax(0,1fr)]">
              <dt className="font-medium">{t.settings.roles[role]}</dt>
              <dd className="text-quiet">{t.settings.roleHints[role]}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </SettingsPage>
  )
}

const rowClass = 'flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2.5'

function MemberRow({ member, project }: { member: Member; project: Project }) {
  const { user } = useSession()
  const isSelf = member.userId === user.id
  const mayChange = isAdmin(project) && member.role !== 'OWNER' && !isSelf
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">
          {member.email}{' '}
          {isSelf && <span className="font-normal text-quiet">({t.settings.members.you})</span>}
        </p>
        <p className="text-xs text-quiet">
          {t.settings.members.since(formatDate(member.createdAt))}
          {member.secondFactor && ` · ${t.secondFactor.rule.states[member.secondFactor]}`}
        </p>
      </div>
      <div className="flex items-center gap-x-4 max-md:gap-x-1">
        {mayChange ? (
          <RoleChoice member={member} projectId={project.id} />
        ) : (
          <Badge>{t.settings.roles[member.role]}</Badge>
        )}
        {(mayChange || (isSelf && member.role !== 'OWNER')) && (
          <RemoveMember member={member} project={project} isSelf={isSelf} />
        )}
      </div>
    </li>
  )
}

function RoleChoice({ member: { userId, email, role }, projectId }: { member: Member; projectId: string }) {
  const queries = useQueryClient()
  const change = async (to: 'ADMIN' | 'MEMBER'): Promise<void> => {
    const params = { path: { id: projectId, userId } }
    try {
      await answer(api.PATCH('/projects/{id}/members/{userId}', { params, body: { role: to } }))
      toast(t.settings.members.changed(email, t.settings.roles[to]))
    } catch (error) {
      toastError(error)
    }
    await queries.invalidateQueries({ queryKey: ['members'] })
  }
  return (
    <select
      aria-label={t.settings.members.roleOf(email)}
      className={`${inputClass} w-auto!`}
      value={role}
      onChange={event => void change(event.target.value === 'ADMIN' ? 'ADMIN' : 'MEMBER')}
    >
      {(['ADMIN', 'MEMBER'] as const).map(each => (
        <option key={each} value={each}>
          {t.settings.roles[each]}
        </option>
      ))}
    </select>
  )
}

interface RemoveProps {
  member: Member
  project: Project
  isSelf: boolean
}

function RemoveMember({ member: { userId, email }, project, isSelf }: RemoveProps) {
  const queries = useQueryClient()
  const remove = async (): Promise<void> => {
    const params = { path: { id: project.id, userId } }
    await answer(api.DELETE('/projects/{id}/members/{userId}', { params }))
    if (isSelf) leaveFor(undefined, '/', true)
    await queries.invalidateQueries({ queryKey: ['members'] })
  }
  return isSelf ? (
    <TakeOut words={t.settings.members.leaving(project.name)} onConfirm={remove} />
  ) : (
    <TakeOut words={t.settings.members.removal(email)} onConfirm={remove} />
  )
}

/** For whoever gets no mail, as while all of it stays in the outbox. */
function CopyLink({
  projectId,
  invitationId,
  email,
}: {
  projectId: string
  invitationId: string
  email: string
}) {
  const [busy, run] = useBusy()
  const copy = async (): Promise<void> => {
    const params = { path: { id: projectId, invitationId } }
    const { url } = await answer(api.GET('/projects/{id}/invitations/{invitationId}/link', { params }))
    toast((await copyText(url)) ? t.settings.members.linkCopied(email) : url)
  }
  return (
    <Button look="quiet" busy={busy} onClick={() => run(copy)}>
      {t.settings.members.copyLink}
    </Button>
  )
}

function Invitations({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(invitationsQuery(projectId))
  const queries = useQueryClient()
  if (data.length === 0) return null
  const revoke = async (invitationId: string): Promise<void> => {
    const params = { path: { id: projectId, invitationId } }
    await answer(api.DELETE('/projects/{id}/invitations/{invitationId}', { params }))
    await queries.invalidateQueries({ queryKey: ['members'] })
  }
  return (
    <Card title={t.settings.members.invited} description={t.settings.members.invitedHint}>
      <ul className="-my-3 divide-y divide-line">
        {data.map(({ id, email, role, expiresAt }) => (
          <li key={id} className={rowClass}>
            <div className="min-w-0 flex-1 basis-40">
              <p className="truncate font-medium">{email}</p>
              <p className="text-xs text-quiet">{t.settings.members.expires(formatDate(expiresAt))}</p>
            </div>
            <Badge>{t.settings.roles[role]}</Badge>
            <CopyLink projectId={projectId} invitationId={id} email={email} />
            <TakeOut words={t.settings.members.revoking(email)} onConfirm={() => revoke(id)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
