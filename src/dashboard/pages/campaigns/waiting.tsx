// A campaign that is about to be sent: when, to how many, and a way back to the draft until then.
import { useEffect, useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { formatExact } from '../../ui/format'
import { toast } from '../../ui/toast'
import type { CampaignRow } from './data'

/** The longest delay that Send may be given: with less left the seconds are counted. */
const countedMs = 600_000

export function Waiting({ campaign }: { campaign: CampaignRow }) {
  const { id, status, scheduledFor, totalRecipients } = campaign
  const leftMs = useLeft(status === 'SCHEDULED' ? scheduledFor : null)
  const { busy, error, run } = useAttempt()
  if (leftMs === undefined) return null
  const words = t.campaigns.waiting
  const isSoon = leftMs <= countedMs
  const takeBack = () =>
    run(async () => {
      try {
        await answer(api.POST('/campaigns/{id}/unschedule', { params: { path: { id } } }))
        toast(words.takenBack)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error
        toast(words.tooLate)
      } finally {
        await refresh('campaigns')
      }
    })
  return (
    <section aria-label={words.title} className="space-y-3 rounded-lg bg-accent-soft px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 font-medium">
          {isSoon
            ? words.soon(Math.ceil(leftMs / 1_000), totalRecipients)
            : words.later(formatExact(scheduledFor!), totalRecipients)}
        </p>
        <ForWriters>
          <Button variant={isSoon ? 'strong' : 'plain'} busy={busy} onClick={takeBack}>
            {isSoon ? words.undo : words.unschedule}
          </Button>
        </ForWriters>
      </div>
      {error !== undefined && <ErrorNote error={error} takesFocus />}
    </section>
  )
}

/** Milliseconds until then, counted by the second; undefined without a moment. When they are over, what has become of it is asked for. */
function useLeft(at: string | null): number | undefined {
  const [, setNow] = useState(0)
  useEffect(() => {
    if (at === null) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.parse(at) <= Date.now()) void refresh('campaigns', 'one')
    }, 1_000)
    return () => clearInterval(timer)
  }, [at])
  return at === null ? undefined : Math.max(0, Date.parse(at) - Date.now())
}
