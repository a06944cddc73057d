// What needs attention: each with the reason and the page where something can be done about it, the most urgent first.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { CircleCheck, Globe, type LucideIcon, Megaphone, Server, ShieldAlert, Webhook } from 'lucide-react'
import { useState } from 'react'
import { domainsQuery, isSandbox, type SendingDomain } from '../../api/domains'
import { maySend, useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { Button, ButtonLink } from '../../ui/button'
import { classes } from '../../ui/classes'
import { formatDateTime, formatNumber } from '../../ui/format'
import { Loading } from '../../ui/loading'
import { Card } from '../../ui/page'
import { providerName } from '../../ui/provider-name'
import {
  type AwaitingCampaign,
  awaitingQuery,
  type CampaignRow,
  type Endpoint,
  endpointsQuery,
  findingsQuery,
  healthQuery,
  securityQuery,
  sendingQuery,
} from './data'

interface Item {
  icon: LucideIcon
  tone: 'bad' | 'warn'
  title: string
  hint?: string
  action?: { label: string; link: LinkProps }
}

export function Attention() {
  const items = useItems()
  const [isWhole, setWhole] = useState(false)
  if (items?.length === 0)
    return (
      <p className="flex items-center gap-2.5 rounded-lg border border-line bg-sheet px-4 py-3.5 md:px-5">
        <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
        {t.home.nothingToDo}
      </p>
    )
  const hidden = isWhole ? 0 : Math.max((items?.length ?? 0) - shownAtFirst, 0)
  return (
    <Card title={t.home.attention}>
      {items === undefined ? (
        <Loading lines={3} />
      ) : (
        <ul className="-my-3 divide-y divide-line">
          {items.slice(0, items.length - hidden).map(item => (
            <Row key={item.title} item={item} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Button variant="quiet" className="mt-3 -ml-3" onClick={() => setWhole(true)}>
          {t.home.showMore(hidden)}
        </Button>
      )}
    </Card>
  )
}

const shownAtFirst = 4

const tones = { bad: 'bg-bad-soft text-bad', warn: 'bg-warn-soft text-warn' }

function Row({ item: { icon: Icon, tone, title, hint, action } }: { item: Item }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <span className={classes('grid size-8 shrink-0 place-items-center rounded-md', tones[tone])}>
        <Icon className="size-4" aria-hidden />
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{title}</p>
        {hint && <p className="text-[0.8125rem] text-quiet wrap-anywhere">{hint}</p>}
      </div>
      {action && (
        <ButtonLink {...action.link} className="max-md:ml-11">
          {action.label}
        </ButtonLink>
      )}
    </li>
  )
}

/** Undefined until everything is known; what can't be loaded is left out. */
function useItems(): Item[] | undefined {
  const project = useProject()
  const { id } = project
  const { operator, id: userId } = useSession().user
  const security = useQuery(securityQuery(id))
  const health = useQuery(healthQuery)
  const sending = useQuery(sendingQuery)
  const domains = useQuery(domainsQuery(id))
  const endpoints = useQuery(endpointsQuery)
  const awaiting = useQuery({ ...awaitingQuery, enabled: maySend(project) })
  const findings = useQuery({ ...findingsQuery, enabled: operator === true })
  const all: UseQueryResult[] = [security, health, sending, domains, endpoints]
  if (all.some(query => query.isPending)) return undefined
  const items = [
    ...(security.data ? standingItems(security.data) : []),
    ...(health.data ? queueItems(health.data, operator === true) : []),
    ...(sending.data?.data ?? []).flatMap(campaignItems),
    ...(awaiting.data?.data ?? []).filter(({ requestedBy }) => requestedBy !== userId).map(approvalItem),
    ...(domains.data ? domainItems(domains.data) : []),
    ...(endpoints.data ?? []).flatMap(endpointItems),
    ...instanceItems(findings.data?.findings ?? []),
  ]
  return [...items.filter(({ tone }) => tone === 'bad'), ...items.filter(({ tone }) => tone === 'warn')]
}

/** A campaign that another member asked approval for. */
function approvalItem({ id, name, requestedByEmail }: AwaitingCampaign): Item {
  const { waits, waitsHint, review, someone } = t.approval
  const link: LinkProps = { to: '/campaigns/$id', params: { id }, search: { part: 'send' } }
  const hint = waitsHint(requestedByEmail ?? someone)
  return { icon: Megaphone, tone: 'warn', title: waits(name), hint, action: { label: review, link } }
}

interface Standing {
  isDisabled: boolean
  disabledReason: string | null
  status: { violations: string[]; warnings: string[] }
}

const toTroubles = () => ({
  label: t.home.viewEmails,
  link: { to: '/messages', search: { trouble: 'any' } } satisfies LinkProps,
})

function standingItems({ isDisabled, disabledReason, status }: Standing): Item[] {
  const { violations, warnings } = status
  const reason = t.home.suspensions[disabledReason ?? ''] ?? t.home.suspensions['MANUAL']!
  if (isDisabled)
    return [{ icon: ShieldAlert, tone: 'bad', title: t.home.disabled, hint: t.home.disabledHint(reason) }]
  const problems = [...violations, ...warnings]
  if (problems.length === 0) return []
  const tone = violations.length > 0 ? 'bad' : 'warn'
  const hint = t.home.reputationHint
  return [{ icon: ShieldAlert, tone, title: problems.join(' '), hint, action: toTroubles() }]
}

interface Queue {
  sending: { paused: boolean; because?: string }
  jobs: 'failed' | { bands: Record<string, { waiting: number; oldestSeconds: number }> }
}

const lateSeconds = 300

function queueItems({ sending, jobs }: Queue, isOperator: boolean): Item[] {
  const link: LinkProps = { to: '/instance' }
  const shared = { icon: Server, ...(isOperator && { action: { label: t.home.viewInstance, link } }) }
  if (sending.paused)
    return [{ ...shared, tone: 'bad', title: t.home.paused, hint: sending.because ?? t.home.pausedHint }]
  if (jobs === 'failed') return [{ ...shared, tone: 'bad', title: t.home.queueFailed }]
  const bands = Object.values(jobs.bands)
  if (!bands.some(band => band.oldestSeconds > lateSeconds)) return []
  const waiting = bands.reduce((sum, band) => sum + band.waiting, 0)
  const title = t.home.queueLate(formatNumber(waiting))
  return [{ ...shared, tone: 'warn', title, hint: t.home.queueLateHint }]
}

/** Campaigns that are paused, as a whole or for a mailbox provider. */
function campaignItems({ id, name, pausedAt, pausedReason, receivers = [] }: CampaignRow): Item[] {
  const link: LinkProps = { to: '/campaigns/$id', params: { id } }
  const shared = { icon: Megaphone, action: { label: t.home.viewCampaign, link } }
  const { campaignPaused, campaignPausedHint } = t.home
  if (pausedAt)
    return [
      {
        ...shared,
        tone: pausedReason ? 'bad' : 'warn',
        title: campaignPaused(name),
        hint: pausedReason ?? campaignPausedHint(formatDateTime(pausedAt)),
      },
    ]
  return receivers
    .filter(({ state }) => state === 'PAUSED')
    .map(({ receiver, heldCount, response }) => ({
      ...shared,
      tone: 'warn' as const,
      title: t.home.providerPaused(providerName(receiver), name, heldCount),
      hint: response,
    }))
}

/** Domains that are not verified; one for trying things out needs nothing. */
function domainItems(domains: readonly SendingDomain[]): Item[] {
  return domains
    .filter(domain => !domain.verified && !isSandbox(domain))
    .map(({ id, domain }) => ({
      icon: Globe,
      tone: 'warn',
      title: t.home.domainWaits(domain),
      hint: t.home.domainWaitsHint,
      action: { label: t.home.showRecords, link: { to: '/domains/$id', params: { id } } },
    }))
}

function endpointItems({ id, url, enabled, disabledReason, failingSince }: Endpoint): Item[] {
  const isDisabled = !enabled && disabledReason !== null
  if (!isDisabled && (!enabled || failingSince === null)) return []
  const link: LinkProps = { to: '/settings/webhooks/$id', params: { id } }
  return [
    {
      icon: Webhook,
      tone: isDisabled ? 'bad' : 'warn',
      title: isDisabled ? t.home.endpointOff(url) : t.home.endpointFailing(url),
      hint: isDisabled ? t.home.endpointOffHint : t.home.endpointFailingHint(formatDateTime(failingSince!)),
      action: { label: t.home.viewDeliveries, link },
    },
  ]
}

/** What the operator has to mend; warnings are on the page of the instance. */
function instanceItems(findings: ReadonlyArray<{ level: string; about: string; words: string }>): Item[] {
  return findings
    .filter(({ level }) => level === 'fail')
    .map(({ about, words }) => ({
      icon: Server,
      tone: 'bad',
      title: t.home.checkFailed(about),
      hint: words,
      action: { label: t.home.viewInstance, link: { to: '/instance' } },
    }))
}
