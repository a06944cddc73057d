// How the instance is doing, for its operator: what it runs on, what the doctor finds, and its jobs.
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../../app/session'
import { t } from '../../texts'
import { formatBytes } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Empty, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { type State, stateQuery } from './data'
import { Findings } from './findings'
import { Jobs } from './jobs'
import { Returned } from './returned'
import { Transports } from './transports'

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
