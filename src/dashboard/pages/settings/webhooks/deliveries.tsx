// The deliveries to an endpoint, newest first, repeating those that failed, and one delivery: what was sent, and the answer to each
// attempt.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { answer, api, type Schemas } from '../../../api/client'
import { refresh } from '../../../app/session'
import { t } from '../../../texts'
import { useAttempt } from '../../../ui/busy'
import { Button } from '../../../ui/button'
import { CodeBlock } from '../../../ui/copy'
import { type Column, DataTable, timeColumn } from '../../../ui/data-table'
import { Actions, Dialog } from '../../../ui/dialog'
import { ErrorNote } from '../../../ui/error-note'
import { SelectField } from '../../../ui/field'
import type { Values } from '../../../ui/form'
import { FormDialogButton } from '../../../ui/form-dialog'
import { formatJson, formatNumber, formatRelative } from '../../../ui/format'
import { Loaded } from '../../../ui/loading'
import { Empty } from '../../../ui/page'
import { Time } from '../../../ui/time'
import { type Delivery, deliveriesQuery, deliveryQuery, type Endpoint } from './data'
import { DeliveryState } from './state'

const route = getRouteApi('/inside/settings/webhooks/$id')

export function Deliveries({ endpoint: { id }, mayChange }: { endpoint: Endpoint; mayChange: boolean }) {
  const { delivery } = route.useSearch()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/settings/webhooks/$id', params: { id }, replace: true })
  return (
    <section className="space-y-3">
      <header className="flex flex-wrap items-end justify-between gap-2">
        <div>
          <h2 className="font-semibold">{t.webhooks.deliveries}</h2>
          <p className="text-quiet">{t.webhooks.deliveriesHint}</p>
        </div>
        {mayChange && <ReplayFailed id={id} />}
      </header>
      <DeliveryTable id={id} />
      {delivery && (
        <DeliveryDialog endpointId={id} deliveryId={delivery} mayChange={mayChange} onClose={close} />
      )}
    </section>
  )
}

export function DeliveryTable({ id }: { id: string }) {
  return (
    <DataTable
      label={t.webhooks.deliveries}
      query={useInfiniteQuery(deliveriesQuery(id))}
      columns={columns(id)}
      rowKey={row => row.id}
      empty={
        <Empty icon={<Send aria-hidden />} title={t.webhooks.noDeliveries}>
          {t.webhooks.noDeliveriesHint}
        </Empty>
      }
    />
  )
}

function columns(id: string): Column<Delivery>[] {
  return [
    {
      id: 'event',
      header: t.webhooks.event,
      grows: true,
      cell: row => (
        <>
          <Link
            to="/settings/webhooks/$id"
            params={{ id }}
            search={{ delivery: row.id }}
            className="font-medium hover:underline"
          >
            {row.eventType}
          </Link>
          <span className="block text-xs text-quiet md:hidden">
            <Time at={row.createdAt} />
          </span>
        </>
      ),
    },
    { id: 'state', header: t.words.status, cell: row => <DeliveryState status={row.status} /> },
    {
      id: 'tries',
      header: t.webhooks.tries,
      cell: row => formatNumber(row.attempts),
      align: 'right',
      wideOnly: true,
    },
    timeColumn(t.words.when, row => row.createdAt),
  ]
}

const hours = { day: 24, week: 168, month: 720 } as const
type Span = keyof typeof hours

function ReplayFailed({ id }: { id: string }) {
  const replay = async ({ span }: Values): Promise<string> => {
    const since = new Date(Date.now() - (hours[span as Span] ?? hours.week) * 3_600_000).toISOString()
    const { replayed } = await answer(
      api.POST('/webhook-endpoints/{id}/replay', { params: { path: { id } }, body: { since } }),
    )
    void refresh('webhooks')
    return t.webhooks.replayed(replayed)
  }
  return (
    <FormDialogButton
      label={t.webhooks.replayFailed}
      description={t.webhooks.replayHint}
      action={t.webhooks.replay}
      onSubmit={replay}
    >
      <SelectField
        name="span"
        label={t.webhooks.span}
        defaultValue="week"
        options={(['day', 'week', 'month'] as const).map(span => [span, t.webhooks.spans[span]])}
      />
    </FormDialogButton>
  )
}

type Whole = Schemas['WebhookDeliveryWithTries']

interface DeliveryDialogProps {
  endpointId: string
  deliveryId: string
  mayChange: boolean
  onClose: () => void
}

/** One delivery: what was sent, and the answer to each attempt. */
export function DeliveryDialog({ endpointId, deliveryId, mayChange, onClose }: DeliveryDialogProps) {
  const query = useQuery(deliveryQuery(endpointId, deliveryId))
  const { data } = query
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={
        <span className="flex flex-wrap items-center gap-2 wrap-anywhere">
          {data?.eventType} {data && <DeliveryState status={data.status} />}
        </span>
      }
      description={<code className="font-mono text-xs wrap-anywhere">{deliveryId}</code>}
    >
      <Loaded query={query}>
        {delivery => (
          <>
            <Tries delivery={delivery} />
            <section className="space-y-1.5">
              <h3 className="font-medium">{t.webhooks.sent}</h3>
              <CodeBlock code={formatJson(delivery.body)} />
            </section>
          </>
        )}
      </Loaded>
      {mayChange && data && data.status !== 'PENDING' && <Replay id={endpointId} deliveryId={deliveryId} />}
    </Dialog>
  )
}

function Tries({ delivery: { tries, nextAttemptAt } }: { delivery: Whole }) {
  return (
    <section className="space-y-3">
      {tries.length === 0 && <p className="text-quiet">{t.webhooks.noTries}</p>}
      <ol className="space-y-3">
        {tries.map(({ attempt, statusCode, error, response, finishedAt }) => (
          <li key={attempt} className="space-y-1.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>
                <span className="font-medium">{t.webhooks.attempt(attempt)}</span>
                <span className="text-quiet"> · </span>
                {statusCode === null ? t.webhooks.noAnswer : t.webhooks.answered(statusCode)}
              </span>
              <span className="text-xs text-quiet">
                <Time at={finishedAt} exact />
              </span>
            </p>
            {error && <p className="text-bad wrap-anywhere">{error}</p>}
            {response && <CodeBlock code={formatJson(response)} />}
          </li>
        ))}
      </ol>
      {nextAttemptAt && <p className="text-quiet">{t.webhooks.nextTry(formatRelative(nextAttemptAt))}</p>}
    </section>
  )
}

function Replay(path: { id: string; deliveryId: string }) {
  const { error, run } = useAttempt()
  const replay = async (): Promise<void> => {
    await answer(api.POST('/webhook-endpoints/{id}/deliveries/{deliveryId}/replay', { params: { path } }))
    await refresh('webhooks')
  }
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      <Actions>
        <Button onClick={() => run(replay)}>{t.webhooks.replay}</Button>
      </Actions>
    </>
  )
}
