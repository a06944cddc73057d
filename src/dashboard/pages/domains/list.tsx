// The sender domains of this project.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight, Globe } from 'lucide-react'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { isAdmin, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'
import { NoRows } from '../../ui/list-page'
import { Page } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { isSandbox, type SendingDomain } from './data'
import { DomainState } from './records'

export function Domains() {
  const project = useProject()
  const query = useQuery({ ...domainsQuery(project.id), refetchInterval: 30_000 })
  return (
    <Page
      title={t.domains.title}
      description={t.domains.hint}
      actions={isAdmin(project) && <AddDomain projectId={project.id} />}
    >
      <RowList
        query={query}
        className="divide-y divide-line rounded-lg border border-line bg-sheet"
        empty={<NoRows words={t.domains} icon={Globe} />}
      >
        {domain => <Row key={domain.id} domain={domain} />}
      </RowList>
      {!isAdmin(project) && <p className="text-quiet">{t.domains.adminsOnly}</p>}
    </Page>
  )
}

function Row({ domain }: { domain: SendingDomain }) {
  return (
    <li>
      <Link
        to="/domains/$id"
        params={{ id: domain.id }}
        className="flex min-h-14 items-center gap-4 px-4 py-2.5 hover:bg-hover md:px-5"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{domain.domain}</span>
          <span className="block truncate text-xs text-quiet">{noteOf(domain)}</span>
        </span>
        <DomainState domain={domain} />
        <span className="w-28 text-right text-quiet max-md:hidden">
          <Time at={domain.createdAt} />
        </span>
        <ChevronRight className="size-4 shrink-0 text-quiet" aria-hidden />
      </Link>
    </li>
  )
}

function noteOf(domain: SendingDomain): string {
  if (isSandbox(domain)) return t.domains.sandboxNote
  const there = domain.records.filter(record => record.status === 'verified').length
  return t.domains.recordsThere(there, domain.records.length)
}

function AddDomain({ projectId }: { projectId: string }) {
  const navigate = useNavigate()
  const add = async ({ domain = '' }: Values): Promise<undefined> => {
    const added = await answer(api.POST('/domains', { body: { domain: domain.trim(), projectId } }))
    await refresh('domains', projectId)
    await navigate({ to: '/domains/$id', params: { id: added.id } })
  }
  return (
    <FormDialogButton label={t.domains.add} variant="strong" onSubmit={add}>
      <TextField
        name="domain"
        label={t.domains.name}
        hint={t.domains.nameHint}
        placeholder="mail.example.com"
        maxLength={253}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </FormDialogButton>
  )
}
