// Background work by kind, and jobs that were given up, with the reason.

import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Breakable } from '../../ui/breakable'
import { formatNumber } from '../../ui/format'
import { Card } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { type FailedJob, failedQuery, type JobKind } from './data'

export function Jobs({ kinds }: { kinds: JobKind[] }) {
  return (
    <>
      <Card title={t.instance.jobs} description={t.instance.jobsHint} flush>
        {kinds.length === 0 ? (
          <p className="px-4 pb-4 text-quiet md:px-5">{t.instance.noJobs}</p>
        ) : (
          <Kinds kinds={kinds} />
        )}
      </Card>
      <Failed />
    </>
  )
}

const cellClass = 'px-2 py-2.5 whitespace-nowrap text-right tabular-nums last:pr-4 md:px-4 md:last:pr-5'

function Kinds({ kinds }: { kinds: JobKind[] }) {
  const { columns } = t.instance
  return (
    <table className="w-full">
      <thead>
        <tr className="border-b border-line text-xs text-quiet [&>th]:font-normal">
          <th scope="col" className="w-full py-2 pl-4 text-left md:w-auto md:pl-5">
            {columns.kind}
          </th>
          {(['queued', 'running', 'failed'] as const).map(name => (
            <th key={name} scope="col" className={cellClass}>
              {columns[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {kinds.map(kind => (
          <tr key={kind.kind}>
            <th scope="row" className="py-2.5 pl-4 text-left font-normal md:pl-5">
              <span className="font-mono text-[0.8125rem] wrap-anywhere">
                <Breakable text={kind.kind} at={/(?<=\.)/} />
              </span>
              {kind.dueSince && (
                <span className="block text-xs text-quiet">
                  {columns.due} <Time at={kind.dueSince} />
                </span>
              )}
            </th>
            <td className={cellClass}>{formatNumber(kind.queued)}</td>
            <td className={cellClass}>{formatNumber(kind.running)}</td>
            <td className={cellClass}>
              {kind.failed === 0 ? (
                <span className="text-quiet">0</span>
              ) : (
                <Link
                  to="/instance"
                  search={{ kind: kind.kind }}
                  className="text-bad underline underline-offset-2"
                >
                  {formatNumber(kind.failed)}
                </Link>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const route = getRouteApi('/inside/instance')

function Failed() {
  const { kind } = route.useSearch()
  const query = useInfiniteQuery(failedQuery(kind))
  return (
    <Card
      title={t.instance.failed}
      description={kind ? t.instance.failedOf(kind) : t.instance.failedHint}
      actions={
        kind && (
          <Link to="/instance" search={{}} className="underline underline-offset-2">
            {t.instance.allKinds}
          </Link>
        )
      }
    >
      <RowList query={query} empty={t.instance.noneFailed} moreClass="mt-4">
        {job => <Shown key={job.id} job={job} />}
      </RowList>
    </Card>
  )
}

function Shown({ job: { kind, error, attempts, finishedAt } }: { job: FailedJob }) {
  return (
    <li className="space-y-1 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-[0.8125rem]">{kind}</span>
        <Badge tone="bad">{t.instance.attempts(attempts)}</Badge>
        <Time at={finishedAt} quiet />
      </p>
      <p className="line-clamp-3 text-quiet wrap-anywhere">{error ?? t.errors.unknown}</p>
    </li>
  )
}
