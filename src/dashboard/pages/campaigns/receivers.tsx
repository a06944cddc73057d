// Mailbox providers that reject a campaign that is sending: how many emails wait for them, why, and what to do about it.
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { ForSenders, ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { formatDateTime } from '../../ui/format'
import { Card } from '../../ui/page'
import { providerName } from '../../ui/provider-name'
import type { CampaignRow } from './data'

type Receiver = NonNullable<CampaignRow['receivers']>[number]

export function Receivers({ campaign: { id, receivers = [] } }: { campaign: CampaignRow }) {
  if (receivers.length === 0) return null
  return (
    <Card title={t.campaigns.receivers.title} description={t.campaigns.receivers.hint}>
      <ul className="-my-2.5 divide-y divide-line">
        {receivers.map(one => (
          <Row key={one.receiver} id={id} one={one} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ id, one }: { id: string; one: Receiver }) {
  const { receiver, state, since, nextTryAt, heldCount, response } = one
  const words = t.campaigns.receivers
  const name = providerName(receiver)
  const [busy, run] = useBusy()
  const [asks, setAsks] = useState(false)
  const params = { params: { path: { id, receiver } } }
  const resume = async (): Promise<void> => {
    await run(async () => {
      await answer(api.POST('/campaigns/{id}/receivers/{receiver}/resume', params))
    })
    void refresh('campaigns')
  }
  return (
    <li className="space-y-1.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <p className="min-w-0 font-medium wrap-anywhere">{name}</p>
        <p className="text-quiet tabular-nums">
          {state === 'PAUSED' ? words.waiting(heldCount) : words.skipped}
        </p>
        <span className="ml-auto flex gap-2">
          {state === 'PAUSED' && (
            <ForWriters>
              <Button onClick={() => setAsks(true)}>{words.skip}</Button>
            </ForWriters>
          )}
          <ForSenders label={words.resume}>
            <Button busy={busy} onClick={resume}>
              {words.resume}
            </Button>
          </ForSenders>
        </span>
      </div>
      <p className="text-quiet">
        {words.since(formatDateTime(since))}
        {nextTryAt && ` · ${words.nextTry(formatDateTime(nextTryAt))}`}
      </p>
      <p className="text-quiet wrap-anywhere">{response}</p>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.skipTitle(name)}
        consequence={words.skipConsequence(heldCount)}
        action={words.skip}
        onConfirm={async () => {
          await answer(api.POST('/campaigns/{id}/receivers/{receiver}/leave-out', params))
          await refresh('campaigns')
        }}
      />
    </li>
  )
}
