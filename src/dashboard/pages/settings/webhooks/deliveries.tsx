// The deliveries to an endpoint, newest first, and repeating those that failed.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../../api/client'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { type Column, DataTable } from '../../../ui/data-table'
import { Dialog } from '../../../ui/dialog'
import { SelectField } from '../../../ui/field'
import { Form } from '../../../ui/form'
import { DialogButtons } from '../../../ui/form-dialog'
import { formatNumber } from '../../../ui/format'
import { Empty } from '../../../ui/page'
import { Time } from '../../../ui/time'
import { toast } from '../../../ui/toast'
import { type Delivery, deliveriesQuery, type Endpoint } from './data'
import { DeliveryDialog } from './delivery'
import { DeliveryState } from './state'

const route = getRouteApi('/inside/settings/webhooks/$id')

interface DeliveriesProps {
  endpoint: Endpoint
  mayChange: boolean
}

export function Deliveries({ endpoint: { id }, mayChange }: DeliveriesProps) {
  const query = useInfiniteQuery(deliveriesQuery(id))
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
      <DataTable
        label={t.webhooks.deliveries}
        query={query}
        columns={columns(id)}
        rowKey={row => row.id}
        empty={
          <Empty icon={<Send aria-hidden />} title={t.webhooks.noDeliveries}>
            {t.webhooks.noDeliveriesHint}
          </Empty>
        }
      />
      {delivery && (
        <DeliveryDialog endpointId={id} deliveryId={delivery} mayChange={mayChange} onClose={close} />
      )}
    </section>
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
    {
      id: 'when',
      header: t.words.when,
      cell: row => <Time at={row.createdAt} quiet />,
      align: 'right',
      wideOnly: true,
    },
  ]
}

const hours = { day: 24, week: 168, month: 720 } as const
type Span = keyof typeof hours

function ReplayFailed({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  const queries = useQueryClient()
  const replay = async (span: Span): Promise<void> => {
    const since = new Date(Date.now() - hours[span] * 3_600_000).toISOString()
    const { replayed } = await answer(
      api.POST('/webhook-endpoints/{id}/replay', { params: { path: { id } }, body: { since } }),
    )
    setOpen(false)
    toast(t.webhooks.replayed(replayed))
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.webhooks.replayFailed}</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.webhooks.replayFailed}
        description={t.webhooks.replayHint}
      >
        <Form onSubmit={({ span }) => replay(span === 'day' || span === 'month' ? span : 'week')}>
          <SelectField name="span" label={t.webhooks.span} defaultValue="week">
            {(['day', 'week', 'month'] as const).map(span => (
              <option key={span} value={span}>
                {t.webhooks.spans[span]}
              </option>
            ))}
          </SelectField>
          <DialogButtons onCancel={() => setOpen(false)}>{t.webhooks.replay}</DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
