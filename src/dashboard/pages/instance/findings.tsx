// The findings of `waxwing doctor`: faults first.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, RefreshCw, TriangleAlert } from 'lucide-react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { type Finding, findingsQuery } from './data'

const icons = { ok: CircleCheck, warn: TriangleAlert, fail: CircleX }
const colors = { ok: 'text-good', warn: 'text-warn', fail: 'text-bad' }
const order = { fail: 0, warn: 1, ok: 2 }

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
                <Shown key={finding.about + finding.words} finding={finding} />
              ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function Shown({ finding: { level, about, words } }: { finding: Finding }) {
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
