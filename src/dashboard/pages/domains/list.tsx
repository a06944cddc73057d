// The sender domains of this project.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight, Globe } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { isAdmin, useProject } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { Loaded } from '../../ui/loading'
import { Empty, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { isSandbox, type SendingDomain } from './data'
import { DomainState } from './state'

export function Domains() {
  const project = useProject()
  const query = useQuery({ ...domainsQuery(project.id), refetchInterval: 30_000 })
  return (
    <Page
      title={t.domains.title}
      description={t.domains.hint}
      actions={isAdmin(project) && <AddDomain projectId={project.id} />}
    >
      <Loaded query={query}>
        {domains =>
          domains.length === 0 ? (
            <Empty icon={<Globe aria-hidden />} title={t.domains.empty}>
              {t.domains.emptyHint}
            </Empty>
          ) : (
            <List domains={domains} />
          )
        }
      </Loaded>
      {!isAdmin(project) && <p className="text-quiet">{t.domains.adminsOnly}</p>}
    </Page>
  )
}

function List({ domains }: { domains: SendingDomain[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-sheet">
      {domains.map(domain => (
        <li key={domain.id}>
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
      ))}
    </ul>
  )
}

function noteOf(domain: SendingDomain): string {
  if (isSandbox(domain)) return t.domains.sandboxNote
  const there = domain.records.filter(record => record.status === 'verified').length
  return t.domains.recordsThere(there, domain.records.length)
}

function AddDomain({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const add = async ({ domain = '' }: Values): Promise<void> => {
    const added = await answer(api.POST('/domains', { body: { domain: domain.trim(), projectId } }))
    await queries.invalidateQueries({ queryKey: ['domains', projectId] })
    setOpen(false)
    await navigate({ to: '/domains/$id', params: { id: added.id } })
  }
  return (
    <>
      <Button look="strong" onClick={() => setOpen(true)}>
        {t.domains.add}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.domains.add}>
        <Form onSubmit={add}>
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
          <DialogButtons onCancel={() => setOpen(false)}>{t.domains.add}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
