// The key that signs the domain's mail, and how to replace it without a gap.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { isAdmin, useProject } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { isSandbox, type SendingDomain } from './data'
import { RecordLines } from './records'

type Keys = Schemas['SigningKeys']

const keysQuery = ({ id }: SendingDomain) =>
  queryOptions({
    queryKey: ['domains', 'keys', id],
    queryFn: ({ signal }) => answer(api.GET('/domains/{id}/dkim', { params: { path: { id } }, signal })),
    refetchInterval: 30_000,
  })

/** Nothing is shown where the provider signs, or for a name that nobody can own. */
export function SigningKey({ domain }: { domain: SendingDomain }) {
  return isSandbox(domain) || domain.dkimTokens || !domain.verified ? null : <Shown domain={domain} />
}

function Shown({ domain }: { domain: SendingDomain }) {
  const query = useQuery(keysQuery(domain))
  const project = useProject()
  const { signedBy, next } = query.data ?? {}
  const mayChange = isAdmin(project) && signedBy !== undefined && next === null
  return (
    <Card
      title={t.domains.key.title}
      description={t.domains.key.hint}
      actions={
        mayChange && (
          <>
            <ChooseSigner domain={domain} signedBy={signedBy} />
            {signedBy === 'waxwing' && <Replace domain={domain} />}
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ signedBy, current, next, previous }) => (
          <div className="space-y-4">
            <p>{signedBy === 'relay' ? t.domains.key.byRelay : t.domains.key.signs(current.selector)}</p>
            {next && <Next domain={domain} next={next} />}
            {previous && <Previous previous={previous} />}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Next({ domain, next }: { domain: SendingDomain; next: NonNullable<Keys['next']> }) {
  return (
    <div className="grid gap-x-8 gap-y-2 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <div className="space-y-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t.domains.key.next(next.selector)} <Badge tone="warn">{t.domains.recordStates.pending}</Badge>
        </p>
        <p className="text-quiet">{t.domains.key.nextHint}</p>
        {isAdmin(useProject()) && <GiveUp domain={domain} />}
      </div>
      <RecordLines record={{ type: 'TXT', ...next }} />
    </div>
  )
}

function Previous({
  previous: { selector, name, removableAt },
}: {
  previous: NonNullable<Keys['previous']>
}) {
  const isRemovable = Date.parse(removableAt) <= Date.now()
  return (
    <p className="text-quiet wrap-anywhere">
      {isRemovable ? t.domains.key.removable(selector, name) : t.domains.key.stays(selector, name)}
      {!isRemovable && (
        <>
          {' '}
          <Time at={removableAt} exact />
        </>
      )}
    </p>
  )
}

function Replace({ domain }: { domain: SendingDomain }) {
  const queries = useQueryClient()
  const replace = async (): Promise<void> => {
    const keys = await answer(api.POST('/domains/{id}/dkim/rotate', { params: { path: { id: domain.id } } }))
    queries.setQueryData(keysQuery(domain).queryKey, keys)
  }
  return (
    <ConfirmButton
      label={t.domains.key.replace}
      title={t.domains.key.replaceTitle(domain.domain)}
      consequence={t.domains.key.replaceHint}
      action={t.domains.key.replace}
      onConfirm={replace}
    />
  )
}

function ChooseSigner({ domain, signedBy }: { domain: SendingDomain; signedBy: Keys['signedBy'] }) {
  const queries = useQueryClient()
  const [busy, run] = useBusy()
  const choose = async (by: Keys['signedBy']): Promise<void> => {
    const [path, body] = [{ id: domain.id }, { signedBy: by }]
    const keys = await answer(api.PUT('/domains/{id}/dkim', { params: { path }, body }))
    queries.setQueryData(keysQuery(domain).queryKey, keys)
  }
  return signedBy === 'relay' ? (
    <Button busy={busy} onClick={() => run(() => choose('waxwing'))}>
      {t.domains.key.signHere}
    </Button>
  ) : (
    <ConfirmButton
      label={t.domains.key.letRelay}
      title={t.domains.key.letRelayTitle(domain.domain)}
      consequence={t.domains.key.letRelayHint}
      action={t.domains.key.letRelay}
      onConfirm={() => choose('relay')}
    />
  )
}

function GiveUp({ domain }: { domain: SendingDomain }) {
  const queries = useQueryClient()
  const [busy, run] = useBusy()
  const giveUp = async (): Promise<void> => {
    const keys = await answer(
      api.DELETE('/domains/{id}/dkim/rotate', { params: { path: { id: domain.id } } }),
    )
    queries.setQueryData(keysQuery(domain).queryKey, keys)
  }
  return (
    <Button look="quiet" className="-ml-3" busy={busy} onClick={() => run(giveUp)}>
      {t.domains.key.giveUp}
    </Button>
  )
}
