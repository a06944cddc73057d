// A campaign before it is sent: its message, its audience, and the final review. All of it is one draft with one Save.
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Conflict } from '../../editor/conflict'
import { MessageFields } from '../../editor/message-fields'
import { OfferNote } from '../../editor/offer-note'
import { useSaveKey } from '../../editor/save'
import { type Mode, ModeSwitch, Writer } from '../../editor/writer'
import { bodyOf, type Writing } from '../../editor/writing'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Faults } from '../../ui/form'
import { BarPage } from '../../ui/page'
import { TabBar, TabLink } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { AudienceCard } from './audience'
import { AudienceLine } from './audience-line'
import { Back } from './back'
import type { CampaignRow } from './data'
import { More } from './more'
import { type Tab, tabs } from './parts'
import { Review } from './review'
import { CampaignStatus } from './status'
import { useCampaignDraft } from './use-campaign-draft'
import { Waiting } from './waiting'

const route = getRouteApi('/inside/campaigns/$id')

export function Draft({ campaign }: { campaign: CampaignRow }) {
  const { id } = campaign
  const { part } = route.useSearch()
  const tab = tabs.find(each => each === part) ?? 'write'
  const navigate = useNavigate()
  const [mode, setMode] = useState<Mode>('write')
  const searchOf = (name: Tab) => ({ part: name === 'write' ? undefined : name })
  const show = async (name: Tab): Promise<void> => {
    if (name !== tab) await navigate({ to: '/campaigns/$id', params: { id }, search: searchOf(name) })
  }
  const control = useCampaignDraft(campaign, show)
  const { draft, edited, set, store, busy } = control
  const save = async (): Promise<void> => {
    if (!busy && (await store())) toast(t.words.saved)
  }
  useSaveKey(save)
  const setWriting = (writing: Writing): void => set('writing', writing)
  return (
    <BarPage
      title={draft.writing.name || campaign.name}
      state={<CampaignStatus campaign={campaign} />}
      name={campaign.name}
      above={<Back />}
      middle={tab === 'write' && <ModeSwitch mode={mode} onMode={setMode} />}
      actions={
        <>
          {edited.isDirty && (
            <span className="self-center text-quiet max-md:hidden">{t.writing.unsaved}</span>
          )}
          <More campaign={campaign} store={store} />
          <Button look={edited.isDirty ? 'strong' : 'plain'} busy={busy} onClick={save}>
            {t.words.save}
          </Button>
          {tab !== 'send' && (
            <Button
              look={edited.isDirty ? 'plain' : 'strong'}
              disabled={busy}
              onClick={async () => {
                if (await store()) await show('send')
              }}
            >
              {t.campaigns.toReview}
            </Button>
          )}
        </>
      }
    >
      <Waiting campaign={campaign} />
      <OfferNote state={edited} />
      <TabBar label={t.campaigns.parts}>
        {tabs.map(name => (
          <TabLink
            key={name}
            to="/campaigns/$id"
            params={{ id }}
            search={searchOf(name)}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t.campaigns.partNames[name]}
          </TabLink>
        ))}
      </TabBar>
      {control.problem !== undefined && tab !== 'send' && <ErrorNote error={control.problem} takesFocus />}
      <Faults of={control.faults}>
        <div className={tab === 'write' ? '' : 'hidden'}>
          <Writer value={draft.writing} onChange={setWriting} mode={mode} onMode={setMode}>
            <form
              noValidate
              onSubmit={event => {
                event.preventDefault()
                void save()
              }}
            >
              <MessageFields
                value={draft.writing}
                onChange={setWriting}
                audience={<AudienceLine id={id} type={draft.writing.type} audience={draft.audience} />}
              />
              <input type="submit" hidden />
            </form>
          </Writer>
        </div>
        {tab === 'audience' && (
          <AudienceCard
            value={draft.audience}
            onChange={audience => set('audience', audience)}
            type={draft.writing.type}
            isFixed={campaign.status !== 'DRAFT'}
          />
        )}
        {tab === 'send' && <Review control={control} onWrite={() => show('write')} />}
      </Faults>
      <Conflict
        mine={{ subject: draft.writing.subject, body: bodyOf(draft.writing) }}
        theirs={control.theirs}
        onKeep={async () => {
          if (await control.keep()) toast(t.words.saved)
        }}
        onTake={() => void control.take()}
        onClose={control.close}
      />
    </BarPage>
  )
}
