// The DNS records of a domain: what to publish where, and whether it was found; and the state of a domain, and of one record, as a badge.
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { CopyValue } from '../../ui/copy'
import { Card } from '../../ui/page'
import { rowsClass } from '../../ui/row-list'
import { type DnsRecord, type SendingDomain, type State, stateOf } from './data'

interface RecordsProps {
  records: readonly DnsRecord[]
  /** Whether anybody asks the DNS for them: of a name for trying things out, nothing can be found. */
  isLookedFor: boolean
}

export function Records({ records, isLookedFor }: RecordsProps) {
  const parts = [
    { required: true, title: t.domains.required, hint: t.domains.requiredHint },
    { required: false, title: t.domains.advised, hint: t.domains.advisedHint },
  ]
  return parts.map(({ required, title, hint }) => (
    <Card key={title} title={title} description={hint}>
      <ul className={rowsClass}>
        {records
          .filter(record => record.required === required)
          .map(record => (
            <Shown key={record.type + record.name} record={record} isLookedFor={isLookedFor} />
          ))}
      </ul>
    </Card>
  ))
}

function Shown({ record, isLookedFor }: { record: DnsRecord; isLookedFor: boolean }) {
  const { purpose, status } = record
  return (
    <li className="grid gap-x-8 gap-y-2 py-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <div className="space-y-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t.domains.purposes[purpose].title}{' '}
          {isLookedFor ? <RecordState record={record} /> : <Badge>{t.domains.notChecked}</Badge>}
        </p>
        <p className="text-quiet">
          {status === 'failed' ? t.domains.purposes[purpose].failed : t.domains.purposes[purpose].hint}
        </p>
      </div>
      <RecordLines record={record} />
    </li>
  )
}

type RecordLinesProps = { record: Pick<DnsRecord, 'type' | 'name' | 'value' | 'priority'> }

/** What to enter where the DNS is managed. */
export function RecordLines({ record: { type, name, value, priority } }: RecordLinesProps) {
  return (
    <dl className="grid grid-cols-[3.5rem_minmax(0,1fr)] content-start items-center gap-x-2">
      <Line name={t.words.type}>
        <code className="inline-flex min-h-9 items-center font-mono text-[0.8125rem]">
          {priority === undefined ? type : `${type} ${priority}`}
        </code>
      </Line>
      <Line name={t.words.name}>
        <CopyValue value={name} />
      </Line>
      <Line name={t.words.value}>
        <CopyValue value={value} />
      </Line>
    </dl>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

const tones: Record<State, Tone> = { verified: 'good', advised: 'good', waiting: 'warn', wrong: 'bad' }

/** The state of a domain, and of one record, as a badge. */
export function DomainState({ domain }: { domain: Pick<SendingDomain, 'verified' | 'records'> }) {
  const state = stateOf(domain)
  return <Badge tone={tones[state]}>{t.domains.states[state]}</Badge>
}

export function RecordState({ record: { status, required } }: { record: DnsRecord }) {
  return <Badge tone={toneOf(status, required)}>{t.domains.recordStates[status]}</Badge>
}

/** A record that is only recommended does less harm if it is missing, or if something else is published. */
function toneOf(status: DnsRecord['status'], required: boolean): Tone {
  if (status === 'verified') return 'good'
  if (status === 'pending') return required ? 'warn' : 'neutral'
  return required ? 'bad' : 'warn'
}
