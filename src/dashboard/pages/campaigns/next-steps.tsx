// What to do next with a campaign that was sent: a new one to those of its recipients who did nothing with it.
import { useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { refresh } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Card } from '../../ui/page'
import type { CampaignRow, Stats } from './data'

const offered = ['notOpened', 'notClicked'] as const
type Offered = (typeof offered)[number]

const longestName = 200

interface NextStepsProps {
  campaign: CampaignRow
  stats: Stats
}

export function NextSteps({ campaign: { id, name }, stats }: NextStepsProps) {
  const navigate = useNavigate()
  const { busy, error, run } = useAttempt()
  // What was not tracked looks like not opened.
  const isTracked = { notOpened: stats.openedCount > 0, notClicked: stats.clickedCount > 0 }
  const steps = offered.filter(each => isTracked[each])
  if (stats.status !== 'SENT' || steps.length === 0) return null
  const words = t.campaigns.next
  const follow = (reaction: Offered) =>
    run(async () => {
      const body = { reaction, name: words.names[reaction](name).slice(0, longestName) }
      const made = await answer(api.POST('/campaigns/{id}/duplicate', { params: { path: { id } }, body }))
      void refresh('campaigns', 'list')
      await navigate({ to: '/campaigns/$id', params: { id: made!.id }, search: {} })
    })
  return (
    <Card title={words.title} description={words.hint}>
      <div className="flex flex-wrap gap-2">
        {steps.map(each => (
          <Button key={each} busy={busy} onClick={() => follow(each)}>
            {words.actions[each]}
          </Button>
        ))}
      </div>
      {error !== undefined && <ErrorNote error={error} takesFocus />}
    </Card>
  )
}
