// What will happen by itself, by day: campaigns and emails with a date, and runs of workflows that wait.
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Mail, Megaphone, Workflow } from 'lucide-react'
import { t } from '../../texts'
import { formatDayName, formatTime } from '../../ui/format'
import { Loaded, Loading } from '../../ui/loading'
import { Card } from '../../ui/page'
import { upcomingQuery } from './data'
import { type Due, dueOf } from './figures'

/** As many as fit beside the rest of the page. */
const most = 6

export function ComingUp() {
  const query = useQuery({ ...upcomingQuery, select: ({ activities }) => dueOf(activities).slice(0, most) })
  return (
    <Card title={t.home.upcoming}>
      <Loaded query={query} outline={<Loading lines={3} />}>
        {due =>
          due.length === 0 ? <p className="text-quiet">{t.home.nothingUpcoming}</p> : <Days due={due} />
        }
      </Loaded>
    </Card>
  )
}

function Days({ due }: { due: Due[] }) {
  const days = Map.groupBy(due, ({ at }) => formatDayName(at))
  return (
    <div className="-mt-2 space-y-1">
      {[...days].map(([day, all]) => (
        <section key={day}>
          <h3 className="pt-1 text-xs text-quiet">{day}</h3>
          <ul>
            {all.map(one => (
              <Row key={one.id} due={one} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const icons = { campaign: Megaphone, email: Mail, workflow: Workflow }

function Row({ due }: { due: Due }) {
  const Icon = icons[due.kind]
  return (
    <li className="relative -mx-2 flex gap-3 rounded-md px-2 py-1.5 hover:bg-hover">
      <time dateTime={due.at} className="w-16 shrink-0 text-[0.8125rem]/5 text-quiet tabular-nums">
        {formatTime(due.at)}
      </time>
      <div className="min-w-0 flex-1">
        <Link {...linkOf(due)} className="block truncate font-medium after:absolute after:inset-0">
          {due.name}
        </Link>
        <p className="truncate text-[0.8125rem] text-quiet">{noteOf(due)}</p>
      </div>
      <Icon className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
    </li>
  )
}

function linkOf({ kind, about: id }: Due): LinkProps {
  if (kind === 'campaign') return { to: '/campaigns/$id', params: { id } }
  if (kind === 'email') return { to: '/messages/$id', params: { id } }
  return { to: '/workflows/$id/executions', params: { id } }
}

function noteOf({ kind, count, contactEmail = '' }: Due): string {
  const { kinds } = t.navigation
  if (kind === 'campaign') return count > 0 ? `${kinds.campaign}, ${t.home.contacts(count)}` : kinds.campaign
  if (kind === 'email') return `${t.home.email}, ${contactEmail}`
  return `${kinds.workflow}, ${count === 1 ? contactEmail : t.home.contacts(count)}`
}
