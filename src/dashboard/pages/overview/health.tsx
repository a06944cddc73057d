// What needs attention, in plain words with what to do; or a note that nothing does.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { domainsQuery } from '../../api/domains'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { formatNumber } from '../../ui/format'
import { Loading } from '../../ui/loading'
import { Card } from '../../ui/page'
import { healthQuery, securityQuery } from './data'

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
  if (isDisabled)
    return {
      tone: 'bad',
      title: t.overview.disabled,
      advice: t.overview.disabledHint(suspensionOf(disabledReason)),
    }
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
  return {
    tone: 'warn',
    title: t.overview.queueLate(formatNumber(waiting)),
    advice: t.overview.queueLateHint,
  }
}
