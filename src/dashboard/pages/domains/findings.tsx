// What receivers will think of the domain's mail: a line for each finding, and the record to publish where something is amiss.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { CopyValue } from '../../ui/copy'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { isSandbox, type SendingDomain } from './data'

type Finding = Schemas['DomainFinding']

const findingsQuery = ({ id }: SendingDomain) =>
  queryOptions({
    queryKey: ['domains', 'health', id],
    queryFn: ({ signal }) => answer(api.GET('/domains/{id}/health', { params: { path: { id } }, signal })),
    staleTime: 60_000,
  })

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
          <ul className="-my-3 divide-y divide-line">
            {findings
              .filter(finding => !isAbove(finding))
              .map(finding => (
                <Line key={finding.code + Object.values(finding.values).join(' ')} finding={finding} />
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

function Line({ finding }: { finding: Finding }) {
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
