// What will happen by itself: campaigns and emails with a date, and executions that wait.
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, MailClock, Workflow } from 'lucide-react'
import { t } from '../../texts'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { upcomingQuery } from './data'

export function Upcoming() {
  const query = useQuery(upcomingQuery)
  return (
    <Card title={t.overview.upcoming}>
      <Loaded query={query}>
        {({ activities }) =>
          activities.length === 0 ? (
            <p className="py-2 text-quiet">{t.overview.nothingUpcoming}</p>
          ) : (
            <ul className="divide-y divide-line">
              {activities.map(activity => (
                <Row key={activity.id} {...activity} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

interface RowProps {
  type: string
  timestamp: string
  contactEmail?: string
  metadata: Record<string, unknown>
}

const icons: Record<string, typeof Workflow> = {
  'campaign.scheduled': CalendarClock,
  'email.scheduled': MailClock,
}

function Row({ type, timestamp, contactEmail, metadata }: RowProps) {
  const Icon = icons[type] ?? Workflow
  const name =
    metadata['campaignName'] ?? metadata['workflowName'] ?? metadata['subject'] ?? metadata['name'] ?? type
  return (
    <li className="flex items-center gap-2.5 py-2.5">
      <Icon className="size-4 shrink-0 text-quiet" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{String(name)}</p>
        {contactEmail && <p className="truncate text-quiet">{contactEmail}</p>}
      </div>
      <Time at={timestamp} />
    </li>
  )
}
