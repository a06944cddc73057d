// What needs attention, in plain words with what to do, or a note that nothing does; which providers rejected email; and what will happen
// by itself.
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleCheck, CircleX, MailClock, TriangleAlert, Workflow } from 'lucide-react'
import { domainsQuery } from '../../api/domains'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { formatNumber } from '../../ui/format'
import { Loading } from '../../ui/loading'
import { Card } from '../../ui/page'
import { providerName } from '../../ui/provider-name'
import { RowList } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { healthQuery, type Rejection, rejectionsQuery, type Span, securityQuery, upcomingQuery } from './data'

interface Finding {
  tone: 'good' | 'warn' | 'bad'
  title: string
  advice?: string
}

export function Health() {
  const findings = useFindings()
  return (
    <Card title={t.overview.health}>
      {findings === undefined ? <Loading lines={3} /> : <List findings={findings} />}
    </Card>
  )
}

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleX }
const colors = { good: 'text-good', warn: 'text-warn', bad: 'text-bad' }

function List({ findings }: { findings: Finding[] }) {
  return (
    <ul className="space-y-3">
      {findings.map(({ tone, title, advice }) => {
        const Icon = icons[tone]
        return (
          <li key={title} className="flex gap-2.5">
            <Icon className={`mt-0.5 size-4 shrink-0 ${colors[tone]}`} aria-hidden />
            <div>
              <p className="font-medium">{title}</p>
              {advice && <p className="text-quiet">{advice}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** Undefined until everything is known; what can't be loaded is not a finding. */
function useFindings(): Finding[] | undefined {
  const { id } = useProject()
  const queries = [useQuery(domainsQuery(id)), useQuery(securityQuery(id)), useQuery(healthQuery)] as const
  const [domains, security, health] = queries
  if (queries.some(query => query.isPending)) return undefined
  return [
    ...domainFindings(domains.data ?? []),
    ...(security.data ? [reputation(security.data)] : []),
    ...(health.data ? [queue(health.data)] : []),
  ]
}

function domainFindings(domains: Array<{ domain: string; verified: boolean }>): Finding[] {
  const waiting = domains.filter(domain => !domain.verified)
  if (domains.length === 0)
    return [{ tone: 'warn', title: t.overview.noDomain, advice: t.overview.noDomainHint }]
  if (waiting.length === 0) return [{ tone: 'good', title: t.overview.domainsGood }]
  return waiting.map(({ domain }) => ({
    tone: 'warn',
    title: t.overview.domainWaits(domain),
    advice: t.overview.domainWaitsHint,
  }))
}

interface Standing {
  isDisabled: boolean
  disabledReason: string | null
  status: { violations: string[]; warnings: string[] }
}

function reputation({ isDisabled, disabledReason, status }: Standing): Finding {
  const suspension = t.overview.disabledHint(suspensionOf(disabledReason))
  if (isDisabled) return { tone: 'bad', title: t.overview.disabled, advice: suspension }
  const problems = [...status.violations, ...status.warnings]
  if (problems.length === 0) return { tone: 'good', title: t.overview.reputationGood }
  return {
    tone: status.violations.length > 0 ? 'bad' : 'warn',
    title: problems.join(' '),
    advice: t.overview.reputationHint,
  }
}

/** One that nobody gave a reason for is the operator's. */
const suspensionOf = (reason: string | null): string =>
  t.overview.suspensions[reason ?? ''] ?? t.overview.suspensions['MANUAL']!

interface Queue {
  sending: { paused: boolean; because?: string }
  jobs: 'failed' | { bands: Record<string, { waiting: number; oldestSeconds: number }> }
}

function queue({ sending, jobs }: Queue): Finding {
  if (sending.paused)
    return { tone: 'bad', title: t.overview.paused, advice: sending.because ?? t.overview.pausedHint }
  if (jobs === 'failed') return { tone: 'bad', title: t.overview.queueFailed }
  const bands = Object.values(jobs.bands)
  const waiting = bands.reduce((sum, band) => sum + band.waiting, 0)
  const late = bands.some(band => band.oldestSeconds > 300)
  if (!late) return { tone: 'good', title: t.overview.queueGood }
  const title = t.overview.queueLate(formatNumber(waiting))
  return { tone: 'warn', title, advice: t.overview.queueLateHint }
}

/** Mailbox providers that rejected email of the project, with what they said; nothing where none did. */
export function Rejections({ span }: { span: Span }) {
  const { data } = useQuery(rejectionsQuery(span))
  if (!data || data.length === 0) return null
  return (
    <Card title={t.overview.rejections} description={t.overview.rejectionsHint}>
      <ul className="divide-y divide-line">
        {data.map(rejection => (
          <RejectionRow key={rejection.provider} {...rejection} />
        ))}
      </ul>
    </Card>
  )
}

function RejectionRow({ provider, emails, reason, lastAt }: Rejection) {
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <p className="min-w-0 font-medium wrap-anywhere">{providerName(provider)}</p>
        <p className="text-quiet tabular-nums">{t.overview.rejected(emails)}</p>
        <span className="ml-auto">
          <Time at={lastAt} />
        </span>
      </div>
      <p className="text-quiet wrap-anywhere">{reason}</p>
    </li>
  )
}

/** What will happen by itself: campaigns and emails with a date, and executions that wait. */
export function Upcoming() {
  const query = useQuery({ ...upcomingQuery, select: ({ activities }) => activities })
  return (
    <Card title={t.overview.upcoming}>
      <RowList
        query={query}
        className="divide-y divide-line"
        empty={<p className="py-2 text-quiet">{t.overview.nothingUpcoming}</p>}
      >
        {activity => <UpcomingRow key={activity.id} {...activity} />}
      </RowList>
    </Card>
  )
}

interface UpcomingRowProps {
  type: string
  timestamp: string
  contactEmail?: string
  metadata: Record<string, unknown>
}

const upcomingIcons: Record<string, typeof Workflow> = {
  'campaign.scheduled': CalendarClock,
  'email.scheduled': MailClock,
}

function UpcomingRow({ type, timestamp, contactEmail, metadata }: UpcomingRowProps) {
  const Icon = upcomingIcons[type] ?? Workflow
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
