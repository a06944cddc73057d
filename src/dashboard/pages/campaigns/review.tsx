// The final review: whom it reaches, what the check found, a test to oneself, and when it leaves.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { useSession } from '../../app/session'
import { PreviewFindings } from '../../editor/preview'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { ErrorNote } from '../../ui/error-note'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { formatExact } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { FittedMail } from '../../ui/mail/fitted'
import { Card } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { AbTestFields, variantNames } from './ab-test'
import { type CampaignRow, campaignQuery, checkQuery, type VariantName } from './data'
import { Forecast } from './forecast'
import { Schedule } from './schedule'
import { TimingFields } from './timing'

interface ReviewProps {
  campaign: CampaignRow
  isDirty: boolean
  onChange: (change: Partial<Pick<CampaignRow, 'timing' | 'abTest'>>) => Promise<void>
}

export function Review({ campaign, isDirty, onChange }: ReviewProps) {
  const [chosen, setChosen] = useState<VariantName>('A')
  const variants = campaign.abTest?.variants ?? []
  const names = variantNames.slice(0, variants.length + 1)
  const variant = names.find(name => name === chosen) ?? 'A'
  const query = useQuery(checkQuery(campaign.id, campaign.version, variant))
  const fromName = variants[names.indexOf(variant) - 1]?.fromName ?? campaign.fromName
  return (
    <Loaded query={query}>
      {check => (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <Card title={check.subject} description={`${fromName ?? ''} <${campaign.from}>`}>
            {names.length > 1 ? (
              <Tabs
                label={t.campaigns.abTest.title}
                tabs={names.map(name => ({ name, label: t.campaigns.abTest.variant(name) }))}
                value={variant}
                onChange={setChosen}
              >
                <FittedMail html={check.html} title={check.subject} width={680} />
              </Tabs>
            ) : (
              <FittedMail html={check.html} title={check.subject} width={680} />
            )}
          </Card>
          <div className="min-w-0 space-y-6">
            <Card title={t.campaigns.reach}>
              <p className="text-lg font-semibold tabular-nums">
                {campaign.type === 'TRANSACTIONAL'
                  ? t.campaigns.reachesAll(check.audience.matching)
                  : t.campaigns.reaches(check.audience.recipients, check.audience.matching)}
              </p>
              <Forecast campaign={campaign} />
            </Card>
            <Card title={t.campaigns.check}>
              <PreviewFindings warnings={check.warnings} html={check.html} />
            </Card>
            <Test id={campaign.id} variant={variant} />
            {isDirty && (
              <p role="status" className="rounded-lg bg-warn-soft px-4 py-2.5">
                {t.campaigns.unsavedHint}
              </p>
            )}
            <Leave
              campaign={campaign}
              recipients={check.audience.recipients}
              isDirty={isDirty}
              onChange={onChange}
            />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function Test({ id, variant }: { id: string; variant: VariantName }) {
  const { user } = useSession()
  const send = async ({ email = '' }: Values): Promise<void> => {
    await answer(api.POST('/campaigns/{id}/test', { params: { path: { id } }, body: { email, variant } }))
    toast(t.campaigns.testSent(email))
  }
  return (
    <Card title={t.campaigns.test}>
      <Form onSubmit={send} className="space-y-3">
        <TextField name="email" type="email" label={t.campaigns.testTo} defaultValue={user.email} required />
        <SubmitButton look="plain">{t.campaigns.sendTest}</SubmitButton>
      </Form>
    </Card>
  )
}

interface LeaveProps extends ReviewProps {
  recipients: number
}

function Leave({ campaign, recipients, isDirty, onChange }: LeaveProps) {
  const { id, scheduledFor, status } = campaign
  const queries = useQueryClient()
  const [asks, setAsks] = useState(false)
  const [at, setAt] = useState<Date>()
  const start = async (): Promise<void> => {
    const body = at ? { scheduledFor: at.toISOString() } : {}
    const sent = await answer(api.POST('/campaigns/{id}/send', { params: { path: { id } }, body }))
    queries.setQueryData(campaignQuery(id).queryKey, old => (old ? { ...old, ...sent!.data } : sent!.data))
    void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
    toast(at ? t.campaigns.scheduled(formatExact(at)) : t.campaigns.started)
  }
  const isOff = isDirty || recipients === 0
  return (
    <Card title={t.campaigns.leave}>
      <div className="space-y-4">
        {status === 'SCHEDULED' && scheduledFor && (
          <p className="font-medium">{t.campaigns.leavesAt(formatExact(scheduledFor))}</p>
        )}
        <Schedule value={at} onChange={setAt} initial={scheduledFor ? new Date(scheduledFor) : undefined} />
        <TimingFields
          key={`timing ${campaign.version}`}
          campaign={campaign}
          onSave={timing => onChange({ timing })}
        />
        <AbTestFields
          key={`test ${campaign.version}`}
          campaign={campaign}
          onSave={abTest => onChange({ abTest })}
        />
        {recipients === 0 && <ErrorNote error={new Error(t.campaigns.nobody)} />}
        <Button look="strong" className="w-full" disabled={isOff} onClick={() => setAsks(true)}>
          {at ? t.campaigns.schedule : t.campaigns.sendNow}
        </Button>
      </div>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={at ? t.campaigns.schedule : t.campaigns.sendNow}
        consequence={
          at ? t.campaigns.scheduleHint(recipients, formatExact(at)) : t.campaigns.sendHint(recipients)
        }
        action={at ? t.campaigns.schedule : t.campaigns.sendTo(recipients)}
        onConfirm={start}
      />
    </Card>
  )
}
