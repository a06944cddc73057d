// Who belongs to the project, who is invited, and with which role.
import { useQuery } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import type { Answer } from '../../api/queries'
import { readQuery } from '../../api/queries'
import { leaveFor } from '../../app/page-address'
import { isAdmin, type Project, refresh, refreshSession, useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button, ButtonLink } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { copyText } from '../../ui/copy'
import { Select, SelectField, TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'
import { formatDate } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { rowsClass } from '../../ui/row-list'
import { toast, toastError } from '../../ui/toast'
import { ApprovalRule } from './approval-rule'
import { RemoveButton } from './frame'

const of = (id: string) => ({ path: { id } })

const membersQuery = (id: string) => readQuery(['members'], '/projects/{id}/members', of(id))

const invitationsQuery = (id: string) =>
  readQuery(['members', 'invitations'], '/projects/{id}/invitations', of(id))

type Member = Answer<'/projects/{id}/members'>[number]

const roles = ['OWNER', 'ADMIN', 'MEMBER', 'EDITOR', 'VIEWER'] as const
/** Those that a member may get; a project has one owner. */
const givenRoles = ['ADMIN', 'MEMBER', 'EDITOR', 'VIEWER'] as const
type GivenRole = (typeof givenRoles)[number]
const givenRole = (value: string | undefined): GivenRole =>
  givenRoles.find(role => role === value) ?? 'MEMBER'

export function Members() {
  const project = useProject()
  const members = useQuery(membersQuery(project.id))
  return (
    <Page
      title={t.settings.tabs.members}
      description={t.settings.members.hint}
      actions={isAdmin(project) && <Invite projectId={project.id} />}
    >
      <Card>
        <Loaded query={members}>
          {list => (
            <ul className={rowsClass}>
              {list.map(member => (
                <MemberRow key={member.userId} member={member} project={project} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      {isAdmin(project) && <Invitations projectId={project.id} />}
      {isAdmin(project) && members.data && <ApprovalRule project={project} members={members.data} />}
      {isAdmin(project) && members.data && <SecondFactorRule project={project} members={members.data} />}
      <Card title={t.settings.members.roles}>
        <dl className="space-y-2">
          {roles.map(role => (
            <div key={role} className="grid gap-x-4 md:grid-cols-[6rem_minmax(0,1fr)]">
              <dt className="font-medium">{t.settings.roles[role]}</dt>
              <dd className="text-quiet">{t.settings.roleHints[role]}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </Page>
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
  const change = async (to: GivenRole): Promise<void> => {
    const params = { path: { id: projectId, userId } }
    const changing = answer(api.PATCH('/projects/{id}/members/{userId}', { params, body: { role: to } }))
    await changing
      .then(() => toast(t.settings.members.changed(email, t.settings.roles[to])), toastError)
      .finally(() => refresh('members'))
  }
  return (
    <Select
      label={t.settings.members.roleOf(email)}
      className="w-auto!"
      value={role}
      options={givenRoles.map(each => [each, t.settings.roles[each]])}
      onChange={value => void change(givenRole(value))}
    />
  )
}

/** Adds somebody who has an account, or invites an address that has none. */
function Invite({ projectId }: { projectId: string }) {
  const invite = async ({ email = '', role }: Values): Promise<string> => {
    const body = { email, role: givenRole(role) }
    const { pending } = await answer(api.POST('/projects/{id}/members', { params: of(projectId), body }))
    void refresh('members')
    return pending ? t.settings.members.wasInvited(email) : t.settings.members.wasAdded(email)
  }
  return (
    <FormDialogButton
      label={t.settings.members.invite}
      variant="strong"
      title={t.settings.members.inviteTitle}
      description={t.settings.members.inviteHint}
      onSubmit={invite}
    >
      <TextField
        name="email"
        type="email"
        label={t.words.email}
        maxLength={320}
        autoComplete="off"
        required
      />
      <SelectField
        name="role"
        label={t.settings.members.role}
        defaultValue="MEMBER"
        options={givenRoles.map(role => [role, t.settings.roles[role]])}
      />
    </FormDialogButton>
  )
}

interface RemoveProps {
  member: Member
  project: Project
  isSelf: boolean
}

function RemoveMember({ member: { userId, email }, project, isSelf }: RemoveProps) {
  const remove = async (): Promise<void> => {
    const params = { path: { id: project.id, userId } }
    await answer(api.DELETE('/projects/{id}/members/{userId}', { params }))
    if (isSelf) leaveFor(undefined, '/', true)
    await refresh('members')
  }
  const { leaving, removal } = t.settings.members
  return <RemoveButton words={isSelf ? leaving(project.name) : removal(email)} onConfirm={remove} />
}

function Invitations({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(invitationsQuery(projectId))
  if (data.length === 0) return null
  return (
    <Card title={t.settings.members.invited} description={t.settings.members.invitedHint}>
      <ul className={rowsClass}>
        {data.map(invitation => (
          <InvitationRow key={invitation.id} projectId={projectId} invitation={invitation} />
        ))}
      </ul>
    </Card>
  )
}

interface InvitationProps {
  projectId: string
  invitation: Answer<'/projects/{id}/invitations'>[number]
}

function InvitationRow({ projectId, invitation: { id, email, role, expiresAt } }: InvitationProps) {
  const [busy, run] = useBusy()
  const params = { path: { id: projectId, invitationId: id } }
  const copy = async (): Promise<void> => {
    const { url } = await answer(api.GET('/projects/{id}/invitations/{invitationId}/link', { params }))
    toast((await copyText(url)) ? t.settings.members.linkCopied(email) : url)
  }
  const revoke = async (): Promise<void> => {
    await answer(api.DELETE('/projects/{id}/invitations/{invitationId}', { params }))
    await refresh('members')
  }
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">{email}</p>
        <p className="text-xs text-quiet">{t.settings.members.expires(formatDate(expiresAt))}</p>
      </div>
      <Badge>{t.settings.roles[role]}</Badge>
      {/* For whoever gets no mail, as while all of it stays in the outbox. */}
      <Button variant="quiet" busy={busy} onClick={() => run(copy)}>
        {t.settings.members.copyLink}
      </Button>
      <RemoveButton words={t.settings.members.revoking(email)} onConfirm={revoke} />
    </li>
  )
}

interface RuleProps {
  project: Project
  members: Member[]
}

/** Whether the project asks its members for a second factor: for the owner to decide, and for administrators to see whom it concerns. */
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
