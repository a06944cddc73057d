// Subscription, limits and the use of the month, where billing is on.

import { useQuery } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { read } from '../../api/queries'
import { isAdmin, type Project, refresh, useProject } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { ErrorNote } from '../../ui/error-note'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { formatDate, formatMoney, formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { rowsClass } from '../../ui/row-list'
import { toast } from '../../ui/toast'
import { AdminsOnly } from './frame'

const categories = ['transactional', 'campaigns', 'workflows', 'inbound'] as const
type Limits = Schemas['BillingLimits']

async function readBilling(id: string, signal: AbortSignal) {
  const path = { path: { id } }
  const [{ hasSubscription, hadSubscription }, limits] = await Promise.all([
    read('/projects/{id}/setup-state', path, signal),
    read('/users/@me/projects/{id}/billing-limits', path, signal),
  ])
  // The payment provider knows nothing about a project that has never been a customer.
  const isKnown = hasSubscription || hadSubscription
  const [consumption, known] = await Promise.all([
    hasSubscription ? read('/users/@me/projects/{id}/billing-consumption', path, signal) : undefined,
    isKnown ? read('/users/@me/projects/{id}/billing-invoices', path, signal) : undefined,
  ])
  return { isSubscribed: hasSubscription, limits, consumption, invoices: known?.invoices ?? [] }
}

type Standing = Awaited<ReturnType<typeof readBilling>>

export function Billing() {
  const project = useProject()
  const query = useQuery({ queryKey: ['billing'], queryFn: ({ signal }) => readBilling(project.id, signal) })
  return (
    <Page title={t.settings.tabs.billing}>
      <AdminsOnly />
      <Loaded query={query}>
        {standing => (
          <>
            <Subscription standing={standing} project={project} />
            <Usage standing={standing} project={project} />
            <Invoices invoices={standing.invoices} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface PartProps {
  standing: Standing
  project: Project
}

function Subscription({ standing: { isSubscribed, consumption }, project }: PartProps) {
  const { busy, error, run } = useAttempt()
  const params = { path: { id: project.id } }
  const leave = async (): Promise<void> => {
    const { url } = isSubscribed
      ? await answer(api.POST('/users/@me/projects/{id}/billing-portal', { params }))
      : await answer(api.POST('/users/@me/projects/{id}/checkout', { params }))
    location.assign(url)
  }
  return (
    <Card
      title={isSubscribed ? t.settings.billing.subscribed : t.settings.billing.free}
      description={isSubscribed ? t.settings.billing.subscribedHint : t.settings.billing.freeHint}
      actions={
        isAdmin(project) && (
          <Button variant={isSubscribed ? 'plain' : 'strong'} busy={busy} onClick={() => run(leave)}>
            {isSubscribed ? t.settings.billing.portal : t.settings.billing.subscribe}
          </Button>
        )
      }
    >
      {consumption && <Consumed {...consumption} />}
      {error !== undefined && <ErrorNote error={error} />}
    </Card>
  )
}

function Consumed({ upcomingInvoice, usage, period }: NonNullable<Standing['consumption']>) {
  return (
    <p className="text-quiet">
      {t.settings.billing.used(usage.total, formatDate(period.start))}{' '}
      {upcomingInvoice &&
        t.settings.billing.due(formatMoney(upcomingInvoice.amountDue, upcomingInvoice.currency))}
    </p>
  )
}

function Usage({ standing: { isSubscribed, limits }, project }: PartProps) {
  const save = async (values: Values): Promise<void> => {
    const given = categories.map(category => [category, values[category]?.trim() || null])
    const body = Object.fromEntries(given) as Record<(typeof categories)[number], string | null>
    const params = { path: { id: project.id } }
    await answer(api.PUT('/users/@me/projects/{id}/billing-limits', { params, body }))
    await refresh('billing')
    toast(t.words.saved)
  }
  const mayChange = isSubscribed && isAdmin(project)
  return (
    <Card title={t.settings.billing.limits} description={t.settings.billing.limitsHint}>
      <Form onSubmit={save}>
        <div className="grid gap-4 md:grid-cols-2">
          {categories.map(category => (
            <Limit key={category} category={category} limits={limits} disabled={!mayChange} />
          ))}
        </div>
        {mayChange && <SubmitButton variant="plain">{t.words.save}</SubmitButton>}
      </Form>
    </Card>
  )
}

interface LimitProps {
  category: (typeof categories)[number]
  limits: Limits
  disabled: boolean
}

function Limit({ category, limits, disabled }: LimitProps) {
  const { limit, usage } = limits[category]
  return (
    <TextField
      name={category}
      label={t.settings.billing.categories[category]}
      hint={t.settings.billing.usage(formatNumber(usage))}
      inputMode="numeric"
      pattern="[1-9][0-9]*"
      maxLength={10}
      placeholder={t.settings.billing.unlimited}
      defaultValue={limit ?? ''}
      disabled={disabled}
    />
  )
}

function Invoices({ invoices }: { invoices: Standing['invoices'] }) {
  if (invoices.length === 0) return null
  return (
    <Card title={t.settings.billing.invoices}>
      <ul className={rowsClass}>
        {invoices.map(({ id, number, created, total, currency, paid, hostedInvoiceUrl }) => (
          <li key={id} className="flex items-center gap-x-4 py-2.5 md:gap-x-6">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{number ?? formatDate(created)}</span>
              {number && <span className="block text-xs text-quiet">{formatDate(created)}</span>}
            </span>
            <span className="text-right">
              <span className="block tabular-nums">{formatMoney(total, currency)}</span>
              <span className={classes('block text-xs', paid ? 'text-good' : 'text-warn')}>
                {paid ? t.settings.billing.paid : t.settings.billing.open}
              </span>
            </span>
            {hostedInvoiceUrl && (
              <a className="underline underline-offset-2" href={hostedInvoiceUrl} rel="noreferrer">
                {t.words.show}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
