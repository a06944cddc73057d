// The first page of a project: what needs somebody, the last campaign, what comes up, and which mailbox providers reject email.
import { Plus } from 'lucide-react'
import { ForWriters } from '../../app/rights'
import { t } from '../../texts'
import { ButtonLink } from '../../ui/button'
import { formatWeekday } from '../../ui/format'
import { Page } from '../../ui/page'
import { Attention } from './attention'
import { ComingUp } from './coming-up'
import { Deliverability } from './deliverability'
import { LastCampaign } from './last-campaign'
import { Start } from './start'

export function Home() {
  return (
    <Page
      title={t.navigation.home}
      description={formatWeekday(Date.now())}
      actions={
        <ForWriters>
          <ButtonLink to="/campaigns/new" variant="strong">
            <Plus aria-hidden />
            {t.campaigns.create}
          </ButtonLink>
        </ForWriters>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21.5rem]">
        <div className="min-w-0 space-y-6">
          <Start />
          <Attention />
          <LastCampaign />
        </div>
        <div className="min-w-0 space-y-6">
          <ComingUp />
          <Deliverability />
        </div>
      </div>
    </Page>
  )
}
