// A campaign before it is sent: its message, its audience, and the final review before it leaves.
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { Conflict } from '../../editor/conflict'
import { MessageFields } from '../../editor/message-fields'
import { OfferNote } from '../../editor/offer-note'
import { useSaving } from '../../editor/save'
import { useWriting } from '../../editor/use-writing'
import { Writer } from '../../editor/writer'
import { bodyOf } from '../../editor/writing'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { Form } from '../../ui/form'
import { Page } from '../../ui/page'
import { TabBar, TabLink } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { AudienceCard } from './audience'
import { Back } from './back'
import { type CampaignRow, campaignQuery, fetchCampaign } from './data'
import { More } from './more'
import { Review } from './review'
import { CampaignStatus } from './status'

const route = getRouteApi('/inside/campaigns/$id')

const parts = ['write', 'audience', 'send'] as const

export function Draft({ campaign }: { campaign: CampaignRow }) {
  const { id } = campaign
  const { part = 'write' } = route.useSearch()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const state = useWriting(`campaign.${id}`, campaign)
  const [busy, setBusy] = useState(false)
  const saving = useSaving(state, {
    change: async body =>
      remember(await answer(api.PUT('/campaigns/{id}', { params: { path: { id } }, body }))),
    load: async () => (await fetchCampaign(id))!,
  })
  const remember = (changed: CampaignRow | undefined): CampaignRow => {
    queries.setQueryData(campaignQuery(id).queryKey, changed!)
    return changed!
  }
  const told = async (saved: Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      if (await saved) toast(t.words.saved)
    } finally {
      setBusy(false)
    }
  }
  const { writing } = state
  return (
    <Page
      title={writing.name || campaign.name}
      state={<CampaignStatus campaign={campaign} />}
      name={campaign.name}
      above={<Back />}
      actions={
        <>
          {state.isDirty && <span className="self-center text-quiet">{t.writing.unsaved}</span>}
          <More campaign={campaign} />
          {part === 'send' ? null : (
            <Button type="submit" form="message" look={state.isDirty ? 'strong' : 'plain'} busy={busy}>
              {t.words.save}
            </Button>
          )}
          {part === 'send' ? null : (
            <Button
              look={state.isDirty || part === 'audience' ? 'plain' : 'strong'}
              onClick={async () => {
                if (state.isDirty) await told(saving.save())
                await navigate({ to: '/campaigns/$id', params: { id }, search: { part: 'send' } })
              }}
            >
              {t.campaigns.toReview}
            </Button>
          )}
        </>
      }
    >
      <OfferNote state={state} />
      <TabBar label={t.campaigns.parts}>
        {parts.map(name => (
          <TabLink
            key={name}
            to="/campaigns/$id"
            params={{ id }}
            search={{ part: name === 'write' ? undefined : name }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t.campaigns.partNames[name]}
          </TabLink>
        ))}
      </TabBar>
      <div className={part === 'write' ? 'space-y-6' : 'hidden'}>
        <Form id="message" onSubmit={() => told(saving.save())}>
          <MessageFields value={writing} onChange={state.setWriting} />
        </Form>
        <Writer value={writing} onChange={state.setWriting} />
      </div>
      {part === 'audience' && (
        <AudienceCard
          campaign={campaign}
          type={writing.type}
          onSave={async audience => {
            const body = { ...audience, expectedVersion: state.version } as never
            const changed = await answer(api.PUT('/campaigns/{id}', { params: { path: { id } }, body }))
            state.rebase(remember(changed).version)
            toast(t.words.saved)
          }}
        />
      )}
      {part === 'send' && (
        <Review
          campaign={campaign}
          isDirty={state.isDirty}
          onChange={async change => {
            const body = { ...change, expectedVersion: state.version }
            const changed = await answer(api.PUT('/campaigns/{id}', { params: { path: { id } }, body }))
            state.rebase(remember(changed).version)
            toast(t.words.saved)
          }}
        />
      )}
      <Conflict
        mine={{ subject: writing.subject, body: bodyOf(writing) }}
        theirs={saving.theirs}
        onKeep={() => void told(saving.keep())}
        onTake={saving.take}
        onClose={saving.close}
      />
    </Page>
  )
}
