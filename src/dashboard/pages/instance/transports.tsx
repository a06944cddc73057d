// The transports of an instance that has several, and whether each of them works.
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import type { State } from './data'

type Transport = NonNullable<State['transports']>[number]

export function Transports({ transports }: { transports: readonly Transport[] }) {
  return (
    <Card title={t.instance.ways} description={t.instance.waysHint}>
      <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {transports.map(transport => (
          <Shown key={transport.name} transport={transport} />
        ))}
      </ol>
    </Card>
  )
}

function Shown({ transport }: { transport: Transport }) {
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
