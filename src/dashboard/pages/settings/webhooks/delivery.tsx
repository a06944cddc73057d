// One delivery: what was sent, and the answer to each attempt.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../../api/client'
import { t } from '../../../texts'
import { Button } from '../../../ui/button'
import { CodeBlock } from '../../../ui/copy'
import { Actions, Dialog } from '../../../ui/dialog'
import { ErrorNote } from '../../../ui/error-note'
import { formatJson, formatRelative } from '../../../ui/format'
import { Loaded } from '../../../ui/loading'
import { Time } from '../../../ui/time'
import { deliveryQuery } from './data'
import { DeliveryState } from './state'

type Whole = Schemas['WebhookDeliveryWithTries']

interface DeliveryDialogProps {
  endpointId: string
  deliveryId: string
  mayChange: boolean
  onClose: () => void
}

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
      {mayChange && data && data.status !== 'PENDING' && (
        <Replay endpointId={endpointId} deliveryId={deliveryId} />
      )}
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

interface ReplayProps {
  endpointId: string
  deliveryId: string
}

function Replay({ endpointId, deliveryId }: ReplayProps) {
  const [error, setError] = useState<unknown>()
  const queries = useQueryClient()
  const replay = async (): Promise<void> => {
    setError(undefined)
    try {
      const params = { path: { id: endpointId, deliveryId } }
      await answer(api.POST('/webhook-endpoints/{id}/deliveries/{deliveryId}/replay', { params }))
      await queries.invalidateQueries({ queryKey: ['webhooks'] })
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      <Actions>
        <Button onClick={replay}>{t.webhooks.replay}</Button>
      </Actions>
    </>
  )
}
