// How the instance is doing, for its operator: what it runs on, what the doctor finds, and its jobs.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Lock, RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { formatBytes, formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Empty, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { type Finding, findingsQuery, type State, stateQuery } from './data'
import { Jobs } from './jobs'

export function Instance() {
  if (!useSession().user.operator)
    return (
      <Empty icon={<Lock aria-hidden />} title={t.instance.closed}>
        {t.instance.closedHint}
      </Empty>
    )
  return <Open />
}

function Open() {
  const query = useQuery(stateQuery)
  return (
    <Page title={t.instance.title} description={t.instance.hint}>
      <Loaded query={query}>{state => <Facts state={state} />}</Loaded>
      {query.data?.transports && <Transports transports={query.data.transports} />}
      <Findings />
      <Returned returned={query.data?.returnedEmails ?? []} />
      <Jobs kinds={query.data?.jobs ?? []} />
    </Page>
  )
}

function Facts({ state: { version, startedAt, baseUrl, transport, database } }: { state: State }) {
  const { facts } = t.instance
  return (
    <Card>
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        <Fact name={facts.version} note={<Since at={startedAt} />}>
          {version}
        </Fact>
        <Fact name={facts.address}>{baseUrl}</Fact>
        <Fact name={facts.transport} note={transport.host}>
          {t.instance.transports[transport.name] ?? transport.name}
        </Fact>
        <Fact name={facts.database} note={formatBytes(database.bytes)}>
          PostgreSQL {database.version} ({database.builtIn ? facts.builtIn : facts.external})
        </Fact>
        <Fact name={facts.backup} note={t.instance.backupHint}>
          <code className="font-mono text-[0.8125rem]">waxwing backup FILE</code>
        </Fact>
      </dl>
    </Card>
  )
}

function Since({ at }: { at: string }) {
  return (
    <>
      {t.instance.facts.started} <Time at={at} />
    </>
  )
}

function Fact({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
      {note && <dd className="text-quiet">{note}</dd>}
    </div>
  )
}

type Transport = NonNullable<State['transports']>[number]

/** The transports of an instance that has several, and whether each of them works. */
function Transports({ transports }: { transports: readonly Transport[] }) {
  return (
    <Card title={t.instance.transportsTitle} description={t.instance.transportsHint}>
      <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {transports.map(transport => (
          <TransportRow key={transport.name} transport={transport} />
        ))}
      </ol>
    </Card>
  )
}

function TransportRow({ transport }: { transport: Transport }) {
  const { name, kind, host, isForAll, working, passedOverUntil, fault, warmUp } = transport
  const about = [t.instance.transports[kind] ?? kind, host, isForAll ? null : t.instance.conditional]
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {name}
        <Badge tone={working ? 'good' : 'warn'}>{working ? t.instance.working : t.instance.failing}</Badge>
      </p>
      <p className="text-quiet wrap-anywhere">{about.filter(part => part !== null).join(', ')}</p>
      {passedOverUntil && (
        <p className="text-quiet">
          {t.instance.failingUntil} <Time at={passedOverUntil} />
        </p>
      )}
      {warmUp && <p className="text-quiet">{t.instance.warmUp(warmUp.sent, warmUp.allowance)}</p>}
      {fault && <p className="text-quiet wrap-anywhere">{fault}</p>}
    </li>
  )
}

/** How many emails came back to the instance, by what was done with them; nothing where none did. */
function Returned({ returned }: { returned: State['returnedEmails'] }) {
  if (returned.length === 0) return null
  return (
    <Card title={t.instance.returned} description={t.instance.returnedHint}>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3">
        {returned.map(({ outcome, emails }) => (
          <div key={outcome}>
            <dt className="text-quiet">{t.instance.outcomes[outcome]}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(emails)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const icons = { ok: CircleCheck, warn: TriangleAlert, fail: CircleX }
const colors = { ok: 'text-good', warn: 'text-warn', fail: 'text-bad' }
const order = { fail: 0, warn: 1, ok: 2 }

/** The findings of `waxwing doctor`: faults first. */
export function Findings() {
  const query = useQuery(findingsQuery)
  return (
    <Card
      title={t.instance.findings}
      description={t.instance.findingsHint}
      actions={
        <IconButton label={t.instance.lookAgain} busy={query.isFetching} onClick={() => query.refetch()}>
          {!query.isFetching && <RefreshCw aria-hidden />}
        </IconButton>
      }
    >
      <Loaded query={query}>
        {({ findings }) => (
          <ul className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
            {findings
              .toSorted((a, b) => order[a.level] - order[b.level])
              .map(finding => (
                <FindingRow key={finding.about + finding.words} finding={finding} />
              ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function FindingRow({ finding: { level, about, words } }: { finding: Finding }) {
  const Icon = icons[level]
  return (
    <li className="flex gap-2.5">
      <Icon className={`mt-0.5 size-4 shrink-0 ${colors[level]}`} aria-label={t.instance.levels[level]} />
      <div className="min-w-0">
        <p className="font-medium">{about}</p>
        <p className="whitespace-pre-line text-quiet wrap-anywhere">{words}</p>
      </div>
    </li>
  )
}
