// One domain: the records to publish, which of them are there already, and how to remove the domain.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { NotFound } from '../../app/failures'
import { isAdmin, queryClient, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { ErrorNote } from '../../ui/error-note'
import { Loaded } from '../../ui/loading'
import { Page } from '../../ui/page'
import { saveFile } from '../../ui/save-file'
import { toast } from '../../ui/toast'
import { type SendingDomain as Claim, checkQuery, isSandbox, stateOf } from './data'
import { DomainState, Records } from './records'
import { DomainFindings, SigningKey } from './signing-key'
import { StartWarmUp, WarmUp } from './warm-up'
import { zoneFile } from './zone-file'

const route = getRouteApi('/inside/domains/$id')

export function Domain() {
  const { id } = route.useParams()
  const query = useQuery({ ...domainsQuery(useProject().id), refetchInterval: 30_000 })
  return (
    <Loaded page query={query}>
      {domains => {
        const domain = domains.find(each => each.id === id)
        return domain ? <Shown domain={domain} /> : <NotFound />
      }}
    </Loaded>
  )
}

function Shown({ domain }: { domain: Claim }) {
  const project = useProject()
  const check = useQuery(checkQuery(domain))
  const now = check.data ? { ...domain, verified: check.data.verified, records: check.data.records } : domain
  const name = domain.domain
  return (
    <Page
      title={name}
      state={<DomainState domain={now} />}
      description={isSandbox(domain) ? t.domains.sandbox : t.domains.advice[stateOf(now)]}
      above={<BackLink to="/domains">{t.domains.title}</BackLink>}
      actions={
        <>
          {isAdmin(project) && <Remove domain={domain} />}
          <StartWarmUp domain={now} />
          <Button onClick={() => saveFile(`${name}.zone`, zoneBlob(domain))}>
            <Download aria-hidden />
            {t.domains.zoneFile}
          </Button>
          <VerifyNow domain={domain} />
        </>
      }
    >
      {check.error && <ErrorNote error={check.error} />}
      <WarmUp domain={now} />
      <Records records={now.records} isLookedFor={!isSandbox(domain)} />
      <SigningKey domain={domain} />
      <DomainFindings domain={domain} />
    </Page>
  )
}

const zoneBlob = ({ domain, records }: Claim): Blob =>
  new Blob([zoneFile(domain, records)], { type: 'text/dns' })

function VerifyNow({ domain }: { domain: Claim }) {
  const [busy, run] = useBusy()
  const verify = async (): Promise<void> => {
    const { queryKey, queryFn } = checkQuery(domain)
    const { status } = await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 })
    toast(t.domains.outcomes[status])
    await refresh('domains', domain.projectId)
    await refresh('domains', 'health', domain.id)
  }
  return (
    <Button variant="strong" busy={busy} onClick={() => run(verify)}>
      {t.domains.verifyNow}
    </Button>
  )
}

function Remove({ domain: { id, domain, projectId } }: { domain: Claim }) {
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/domains/{id}', { params: { path: { id } } }))
    await navigate({ to: '/domains' })
    await refresh('domains', projectId)
    toast(t.domains.removed(domain))
  }
  return (
    <ConfirmButton
      variant="danger"
      label={t.domains.remove}
      title={t.words.removeTitle(domain)}
      consequence={t.domains.removeHint}
      onConfirm={remove}
    />
  )
}
