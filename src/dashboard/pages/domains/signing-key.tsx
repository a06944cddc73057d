// The key that signs the domain's mail, and how to replace it without a gap; and what receivers will think of the domain's mail.
import { useQuery } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { isAdmin, queryClient, useProject } from '../../app/session'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm'
import { CopyValue } from '../../ui/copy'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { rowsClass } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { type Finding, findingsQuery, isSandbox, type Keys, keysQuery, type SendingDomain } from './data'
import { RecordLines } from './records'

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

function Previous({ previous }: { previous: NonNullable<Keys['previous']> }) {
  const { selector, name, removableAt } = previous
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

/** What is done to the keys of a domain is answered with them. */
const keep = (domain: SendingDomain, keys: Keys) => queryClient.setQueryData(keysQuery(domain).queryKey, keys)

function Replace({ domain }: { domain: SendingDomain }) {
  const params = { path: { id: domain.id } }
  return (
    <ConfirmButton
      label={t.domains.key.replace}
      title={t.domains.key.replaceTitle(domain.domain)}
      consequence={t.domains.key.replaceHint}
      action={t.domains.key.replace}
      onConfirm={async () => keep(domain, await answer(api.POST('/domains/{id}/dkim/rotate', { params })))}
    />
  )
}

function ChooseSigner({ domain, signedBy }: { domain: SendingDomain; signedBy: Keys['signedBy'] }) {
  const [busy, run] = useBusy()
  const params = { path: { id: domain.id } }
  const choose = async (signedBy: Keys['signedBy']) =>
    keep(domain, await answer(api.PUT('/domains/{id}/dkim', { params, body: { signedBy } })))
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
  const [busy, run] = useBusy()
  const params = { path: { id: domain.id } }
  const giveUp = async () => keep(domain, await answer(api.DELETE('/domains/{id}/dkim/rotate', { params })))
  return (
    <Button variant="quiet" className="-ml-3" busy={busy} onClick={() => run(giveUp)}>
      {t.domains.key.giveUp}
    </Button>
  )
}

/** Nothing is shown for a name that nobody can own. */
export function DomainFindings({ domain }: { domain: SendingDomain }) {
  return isSandbox(domain) ? null : <Findings domain={domain} />
}

function Findings({ domain }: { domain: SendingDomain }) {
  const query = useQuery(findingsQuery(domain))
  if (query.data?.findings.every(isAbove)) return null
  return (
    <Card title={t.domains.health.title} description={t.domains.health.hint}>
      <Loaded query={query}>
        {({ findings }) => (
          <ul className={rowsClass}>
            {findings
              .filter(finding => !isAbove(finding))
              .map(finding => (
                <FindingLine key={finding.code + Object.values(finding.values).join(' ')} finding={finding} />
              ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

/** Whether the finding is shown above already: a missing record is among those to publish. */
function isAbove({ about, code }: Finding): boolean {
  return about !== 'reverse-dns' && code.endsWith('.missing')
}

const tones: Record<Finding['level'], Tone> = { ok: 'good', warn: 'warn', fail: 'bad' }

function FindingLine({ finding }: { finding: Finding }) {
  const { about, level, record } = finding
  const { topics, levels, publish } = t.domains.health
  return (
    <li className="grid gap-x-8 gap-y-1.5 py-3.5 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <p className="flex flex-wrap content-start items-center gap-2 font-medium">
        {topics[about]} <Badge tone={tones[level]}>{levels[level]}</Badge>
      </p>
      <div className="min-w-0 space-y-1.5">
        <p className="wrap-anywhere">{saidOf(finding)}</p>
        {record && (
          <p className="flex flex-wrap items-center gap-x-2 text-quiet">
            {publish(record.type, record.name)} <CopyValue value={record.value} />
          </p>
        )}
      </div>
    </li>
  )
}

/** A finding from a newer server has an English message at least. */
function saidOf({ code, values, message }: Finding): string {
  const words = t.domains.health.codes[code]
  if (!words) return message
  return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
