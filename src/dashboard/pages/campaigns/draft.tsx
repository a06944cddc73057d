// A campaign before it is sent: its message, its audience, and the final review. All of it is one draft, which stores itself until the
// campaign is scheduled.
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { ForWritersFields } from '../../app/rights'
import { Conflict } from '../../editor/conflict'
import { MessageFields } from '../../editor/message-fields'
import { OfferNote } from '../../editor/offer-note'
import { Publish, SaveState, UndoRedo } from '../../editor/save-state'
import { HistoryContext, useDraftKeys } from '../../editor/use-draft'
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
import { type CampaignDraft, partNames, parts, type Tab, tabs } from './parts'
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
  /** Leads to a field: the message is written where it may be previewed just now. */
  const lead = async (name: Tab): Promise<void> => {
    if (name === 'write') flushSync(() => setMode('write'))
    await show(name)
  }
  const control = useCampaignDraft(campaign, lead)
  const { draft: state, set, store, busy } = control
  const draft = state.value
  const save = async (): Promise<void> => {
    if (busy) return
    if (state.isLive) toast(t.writing.keptHere)
    else if (await store()) toast(t.words.saved)
  }
  /** Shows the part in which something was taken back. */
  const move = (step: () => CampaignDraft | undefined) => (): void => {
    const after = step()
    const changed = after && partNames.find(name => after[name] !== draft[name])
    if (changed) void show(parts[changed].tab)
  }
  const history = { ...state, undo: move(state.undo), redo: move(state.redo) }
  useDraftKeys(history, save)
  const { store: flush } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is a pause in writing.
  useEffect(() => void flush(), [tab, flush])
  const setWriting = (writing: Writing): void => set('writing', writing)
  return (
    <BarPage
      title={draft.writing.name || campaign.name}
      state={<CampaignStatus campaign={campaign} />}
      saved={<SaveState draft={state} onMissing={() => void store()} />}
      history={<UndoRedo history={history} />}
      name={campaign.name}
      above={<Back />}
      middle={tab === 'write' && <ModeSwitch mode={mode} onMode={setMode} />}
      actions={
        <>
          <More campaign={campaign} store={state.isLive ? undefined : store} />
          {state.isLive && <Publish draft={state} store={store} />}
          {tab !== 'send' && (
            <Button
              variant={state.isLive && state.isDirty ? 'plain' : 'strong'}
              disabled={busy}
              onClick={async () => {
                if (state.isLive || (await store())) await show('send')
              }}
            >
              {t.campaigns.toReview}
            </Button>
          )}
        </>
      }
    >
      <Waiting campaign={campaign} />
      <OfferNote draft={state} />
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
      <HistoryContext value={history}>
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
            <ForWritersFields>
              <AudienceCard
                value={draft.audience}
                onChange={audience => set('audience', audience)}
                type={draft.writing.type}
                isFixed={campaign.status !== 'DRAFT'}
              />
            </ForWritersFields>
          )}
          {tab === 'send' && <Review control={control} onWrite={() => lead('write')} />}
        </Faults>
      </HistoryContext>
      <Conflict
        draft={state}
        mine={{ subject: draft.writing.subject, body: bodyOf(draft.writing) }}
        theirs={state.theirs}
        onKeep={async () => {
          if (await control.keepMine()) toast(t.words.saved)
        }}
      />
    </BarPage>
  )
}
