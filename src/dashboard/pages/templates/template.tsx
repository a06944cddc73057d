// One template: written in one of three ways, and previewed in its place.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import { ForWriters } from '../../app/rights'
import { useProject } from '../../app/session'
import { readable } from '../../editor/check'
import { Conflict } from '../../editor/conflict'
import { MessageFields } from '../../editor/message-fields'
import { OfferNote } from '../../editor/offer-note'
import { Publish, SaveState, UndoRedo } from '../../editor/save-state'
import { storeAccepted } from '../../editor/store-accepted'
import { HistoryContext, useDraftKeys, useStoredDraft } from '../../editor/use-draft'
import { usePress } from '../../editor/use-press'
import { type Mode, ModeSwitch, Writer } from '../../editor/writer'
import { bodyOf, missingOf, readWriting, savedOf, type Writing } from '../../editor/writing'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Confirm } from '../../ui/confirm'
import { ErrorNote } from '../../ui/error-note'
import { Faults } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Menu } from '../../ui/menu'
import { BarPage } from '../../ui/page'
import { toast } from '../../ui/toast'
import { isInUse, type TemplateRow, templateQuery, usageQuery } from './data'

const route = getRouteApi('/inside/templates/$id')

export function Template() {
  const { id } = route.useParams()
  const query = useQuery(templateQuery(id))
  return (
    <Loaded page query={query}>
      {template => <Editor key={id} template={template} />}
    </Loaded>
  )
}

function Editor({ template }: { template: TemplateRow }) {
  const { id } = template
  const queries = useQueryClient()
  const { language } = useProject()
  const [mode, setMode] = useState<Mode>('write')
  const { data: usage } = useQuery(usageQuery(id))
  const draft = useStoredDraft<Writing, TemplateRow>({
    name: `template.${id}`,
    stored: template,
    live: usage && isInUse(usage),
    isLive: async () => isInUse(await queries.fetchQuery({ ...usageQuery(id), staleTime: 0 })),
    read: stored => readWriting(stored, language),
    saved: savedOf,
    async store(writing, { version, isPressed, leaving }) {
      const missing = missingOf(writing)
      const given = Object.entries(savedOf(writing)).filter(([member]) => !(member in missing))
      const body = { ...Object.fromEntries(given), expectedVersion: version }
      const patch = async (body: object): Promise<TemplateRow> =>
        (await answer(
          api.PATCH('/templates/{id}', { params: { path: { id } }, body, keepalive: leaving }),
        )) as TemplateRow
      if (isPressed) return { stored: await patch(body) }
      return await storeAccepted(body, missing, patch, problem => inWords(problem, writing).message)
    },
    load: () => read('/templates/{id}', { path: { id } }),
    remember: stored => renew(queries, templateQuery(id).queryKey, stored),
  })
  const { value, isLive } = draft
  const write = (): void => setMode('write')
  const press = usePress(draft, missingOf, problem => inWords(problem, value, write), write)
  const setWriting = (writing: Writing): void => draft.change(() => writing)
  const save = async (): Promise<void> => {
    if (isLive) toast(t.writing.keptHere)
    else if (await press.store()) toast(t.words.saved)
  }
  useDraftKeys(draft, save)
  return (
    <BarPage
      title={value.name || template.name}
      saved={<SaveState draft={draft} onMissing={press.store} />}
      history={<UndoRedo history={draft} />}
      above={<Back />}
      middle={<ModeSwitch mode={mode} onMode={setMode} />}
      actions={
        <>
          <ForWriters>
            <More template={template} store={isLive ? undefined : press.store} />
          </ForWriters>
          {isLive && <Publish draft={draft} store={press.store} />}
        </>
      }
    >
      <OfferNote draft={draft} />
      {press.problem !== undefined && <ErrorNote error={press.problem} takesFocus />}
      <HistoryContext value={draft}>
        <Writer value={value} onChange={setWriting} mode={mode} onMode={setMode}>
          <Faults of={press.faults}>
            <MessageFields value={value} onChange={setWriting} />
          </Faults>
        </Writer>
      </HistoryContext>
      <Conflict
        draft={draft}
        mine={{ subject: value.subject, body: bodyOf(value) }}
        theirs={draft.theirs}
        onKeep={press.keepMine}
      />
    </BarPage>
  )
}

/** To the step of a workflow, if one has come from there. */
function Back() {
  const { workflow, step } = route.useSearch()
  return workflow ? (
    <BackLink to="/workflows/$id" params={{ id: workflow }} search={{ step }}>
      {t.workflows.toStep}
    </BackLink>
  ) : (
    <BackLink to="/templates">{t.templates.title}</BackLink>
  )
}

/** `open` shows where it is written. */
function inWords(problem: unknown, writing: Writing, open?: () => void): Error {
  return readable(problem, { subject: writing.subject, body: bodyOf(writing) }, open) as Error
}

interface MoreProps {
  template: TemplateRow
  /** Stores what is typed: a copy is a copy of what is shown. */
  store: (() => Promise<TemplateRow | undefined>) | undefined
}

function More({ template: { id, name }, store }: MoreProps) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const { data: usage } = useQuery(usageQuery(id))
  const copy = async (): Promise<void> => {
    if (store && !(await store())) return
    const made = await answer(api.POST('/templates/{id}/duplicate', { params: { path: { id } } }))
    await navigate({ to: '/templates/$id', params: { id: made!.id } })
  }
  return (
    <>
      <Menu
        entries={[
          { label: t.words.duplicate, icon: <Copy aria-hidden />, onSelect: () => void copy() },
          null,
          {
            label: t.words.delete,
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => setAsks(true),
          },
        ]}
      />
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={t.words.deleteTitle(name)}
        consequence={t.templates.deleteHint(usage?.workflowSteps.length ?? 0, usage?.forms.length ?? 0)}
        onConfirm={async () => {
          await answer(api.DELETE('/templates/{id}', { params: { path: { id } } }))
          await navigate({ to: '/templates' })
        }}
      />
    </>
  )
}
