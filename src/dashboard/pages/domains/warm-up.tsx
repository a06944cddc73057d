// The plan by which a new domain becomes known to receivers: where it stands, and how to change it. Nothing is shown where there is none.
import { useQuery } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { isAdmin, queryClient, useProject } from '../../app/session'
import { t } from '../../texts'
import { ConfirmButton } from '../../ui/confirm'
import { TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { FormDialogButton } from '../../ui/form-dialog'
import { formatUtcDay } from '../../ui/format'
import { Card } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { type SendingDomain, warmUpQuery } from './data'

type Plan = NonNullable<Schemas['WarmUp']['plan']>

function usePlan(domain: SendingDomain): Plan | null | undefined {
  const { data } = useQuery(warmUpQuery(domain))
  return data && (data.plan?.endedAt ? null : data.plan)
}

/** For a domain that has none. */
export function StartWarmUp({ domain }: { domain: SendingDomain }) {
  const plan = usePlan(domain)
  const mayStart = isAdmin(useProject())
  if (plan !== null || !mayStart) return null
  return <PlanButton domain={domain} label={t.domains.warmUp.start} />
}

export function WarmUp({ domain }: { domain: SendingDomain }) {
  const plan = usePlan(domain)
  const mayChange = isAdmin(useProject())
  if (!plan) return null
  const { firstDay, factor, target, targetDate } = plan
  return (
    <Card
      title={t.domains.warmUp.title}
      description={t.domains.warmUp.plan(firstDay, factor, target)}
      actions={
        mayChange && (
          <div className="flex gap-2">
            <PlanButton domain={domain} plan={plan} label={t.domains.warmUp.change} />
            <Stop domain={domain} />
          </div>
        )
      }
    >
      <div className="space-y-4">
        <Days days={plan.days} />
        {targetDate && (
          <p className="text-quiet">{t.domains.warmUp.reached(target, formatUtcDay(targetDate))}</p>
        )}
      </div>
    </Card>
  )
}

const daysShown = 5

function Days({ days }: Pick<Plan, 'days'>) {
  if (days.length === 0) return <p>{t.domains.warmUp.nothingYet}</p>
  return (
    <div className="space-y-3">
      {days.slice(0, daysShown).map(({ date, sent, allowance }) => (
        <Progress
          key={date}
          label={t.domains.warmUp.day(formatUtcDay(date), sent, allowance)}
          percent={Math.min(100, Math.round((sent / allowance) * 100))}
        />
      ))}
    </div>
  )
}

function PlanButton({ domain, plan, label }: { domain: SendingDomain; plan?: Plan; label: string }) {
  const { firstDay, factor, target } = plan ?? { firstDay: 50, factor: 1.5, target: 10_000 }
  const save = async (values: Values): Promise<undefined> => {
    const [firstDay, factor, target] = [values['firstDay'], values['factor'], values['target']].map(Number)
    const [params, body] = [
      { path: { id: domain.id } },
      { firstDay: firstDay!, factor: factor!, target: target! },
    ]
    const saved = await answer(api.PUT('/domains/{id}/warm-up', { params, body }))
    queryClient.setQueryData(warmUpQuery(domain).queryKey, saved)
  }
  return (
    <FormDialogButton
      label={label}
      title={t.domains.warmUp.title}
      description={t.domains.warmUp.hint}
      onSubmit={save}
    >
      <Amount name="firstDay" label={t.domains.warmUp.firstDay} value={firstDay} max={1e6} />
      <TextField
        name="factor"
        type="number"
        label={t.domains.warmUp.factor}
        hint={t.domains.warmUp.factorHint}
        defaultValue={factor}
        min={1.1}
        max={10}
        step="any"
        required
      />
      <Amount name="target" label={t.domains.warmUp.target} value={target} max={1e7} />
    </FormDialogButton>
  )
}

function Amount({ value, ...rest }: { name: string; label: string; value: number; max: number }) {
  return <TextField {...rest} type="number" defaultValue={value} min={1} step={1} required />
}

function Stop({ domain }: { domain: SendingDomain }) {
  const params = { path: { id: domain.id } }
  const stop = async (): Promise<void> => {
    const stopped = await answer(api.DELETE('/domains/{id}/warm-up', { params }))
    queryClient.setQueryData(warmUpQuery(domain).queryKey, stopped)
  }
  return (
    <ConfirmButton
      label={t.domains.warmUp.stop}
      title={t.domains.warmUp.stopTitle(domain.domain)}
      consequence={t.domains.warmUp.stopHint}
      action={t.domains.warmUp.stop}
      onConfirm={stop}
    />
  )
}
