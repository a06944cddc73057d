// One layout: its source, and beside it the mail that it makes from a sample text.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { answer, api } from '../../api/client'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import { ForWriters, ForWritersFields } from '../../app/rights'
import { useProject } from '../../app/session'
import { Conflict } from '../../editor/conflict'
import { fieldNamesQuery } from '../../editor/data'
import { OfferNote } from '../../editor/offer-note'
import { Publish, SaveState, UndoRedo } from '../../editor/save-state'
import { storeAccepted } from '../../editor/store-accepted'
import { HistoryContext, useDraftKeys, useStoredDraft } from '../../editor/use-draft'
import { usePress } from '../../editor/use-press'
import { type Mode, ModeSwitch } from '../../editor/writer'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { IconButton } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { ErrorNote } from '../../ui/error-note'
import { TextField } from '../../ui/field'
import { Faults } from '../../ui/form'
import { Loaded, Skeleton } from '../../ui/loading'
import { BarPage } from '../../ui/page'
import { toast } from '../../ui/toast'
import {
  isInUse,
  type LayoutDraft,
  type LayoutRow,
  layoutBody,
  layoutQuery,
  readLayout,
  savedLayout,
  usageQuery,
} from './data'
import { Drawn } from './drawn'
import { LayoutSample } from './sample-mail'

const CodeEditor = lazy(() => import('../../editor/code/code-editor'))

const route = getRouteApi('/inside/layouts/$id')

export function Layout() {
  const { id } = route.useParams()
  const query = useQuery(layoutQuery(id))
  return (
    <Loaded page query={query}>
      {layout => <Editor key={id} layout={layout} />}
    </Loaded>
  )
}

function Editor({ layout }: { layout: LayoutRow }) {
  const { id } = layout
  const queries = useQueryClient()
  const { language } = useProject()
  const [mode, setMode] = useState<Mode>('write')
  const { data: usage } = useQuery(usageQuery(id))
  const draft = useStoredDraft<LayoutDraft, LayoutRow>({
    name: `layout.${id}`,
    stored: layout,
    live: usage && isInUse(usage),
    isLive: async () => isInUse(await queries.fetchQuery({ ...usageQuery(id), staleTime: 0 })),
    read: stored => readLayout(stored, language),
    saved: savedLayout,
    async store(value, { version, isPressed, leaving }) {
      const missing = missingOf(value)
      const { name, ...content } = savedLayout(value)
      const given = { ...(missing['name'] ? {} : { name }), ...content }
      const patch = async (body: object): Promise<LayoutRow> =>
        (await answer(
          api.PATCH('/layouts/{id}', { params: { path: { id } }, body, keepalive: leaving }),
        )) as LayoutRow
      const body = { ...given, expectedVersion: version }
      return isPressed ? { stored: await patch(body) } : await storeAccepted(body, missing, patch)
    },
    load: () => read('/layouts/{id}', { path: { id } }),
    async remember(row) {
      await renew(queries, layoutQuery(id).queryKey, row)
      // Mails in this layout look different now.
      queries.removeQueries({ queryKey: ['writing', 'preview'] })
    },
  })
  const { value, isLive, theirs } = draft
  const press = usePress(draft, missingOf)
  const set = (part: Partial<LayoutDraft>): void => draft.change(old => ({ ...old, ...part }))
  const save = async (): Promise<void> => {
    if (isLive) toast(t.writing.keptHere)
    else if (await press.store()) toast(t.words.saved)
  }
  useDraftKeys(draft, save)
  const fields = (
    <Faults of={press.faults}>
      <TextField
        name="name"
        label={t.words.name}
        required
        maxLength={100}
        value={value.name}
        onChange={event => set({ name: event.target.value })}
      />
      <Uses id={id} />
    </Faults>
  )
  return (
    <BarPage
      title={value.name || layout.name}
      saved={<SaveState draft={draft} onMissing={press.store} />}
      history={<UndoRedo history={draft} />}
      above={<BackLink to="/layouts">{t.layouts.title}</BackLink>}
      middle={value.blocks && <ModeSwitch mode={mode} onMode={setMode} />}
      actions={
        <>
          <ForWriters>
            <Deletion layout={layout} />
          </ForWriters>
          {isLive && <Publish draft={draft} store={press.store} />}
        </>
      }
    >
      <OfferNote draft={draft} />
      {press.problem !== undefined && <ErrorNote error={press.problem} takesFocus />}
      {value.blocks ? (
        <HistoryContext value={draft}>
          <Drawn
            blocks={value.blocks}
            body={layoutBody(value)}
            mode={mode}
            onMode={setMode}
            onChange={blocks => set({ blocks })}
            onSource={() => draft.change(({ blocks: _, ...old }) => ({ ...old, source: layoutBody(value) }))}
          >
            {fields}
          </Drawn>
        </HistoryContext>
      ) : (
        <div className="grid gap-6 pb-8 xl:grid-cols-[minmax(0,1fr)_26rem]">
          <div className="space-y-4">
            <ForWritersFields>
              {fields}
              <Source value={value.source} onChange={source => set({ source })} />
            </ForWritersFields>
          </div>
          <div className="min-w-0 xl:sticky xl:top-18 xl:self-start">
            <LayoutSample layout={value.source} />
          </div>
        </div>
      )}
      <Conflict
        draft={draft}
        mine={{ subject: value.name, body: layoutBody(value) }}
        theirs={theirs && { subject: theirs.name, body: theirs.body }}
        onKeep={press.keepMine}
      />
    </BarPage>
  )
}

function missingOf({ name }: LayoutDraft): Record<string, string> {
  return name.trim() ? {} : { name: t.campaigns.missing.name }
}

function Source({ value, onChange }: { value: string; onChange: (source: string) => void }) {
  const { data: fields = [] } = useQuery(fieldNamesQuery)
  return (
    <div className="space-y-1.5">
      <p className="text-quiet">{t.layouts.placeHint}</p>
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <CodeEditor
          language="html"
          label={t.layouts.source}
          value={value}
          onChange={onChange}
          variables={['content', ...fields, 'email', 'unsubscribeUrl', 'manageUrl', 'browserUrl']}
        />
      </Suspense>
    </div>
  )
}

function Uses({ id }: { id: string }) {
  const { data } = useQuery(usageQuery(id))
  if (!data) return null
  const { templateCount, campaignCount } = data
  return (
    <p className="text-quiet">
      {isInUse(data) ? t.layouts.uses(templateCount, campaignCount) : t.layouts.unused}
    </p>
  )
}

function Deletion({ layout: { id, name } }: { layout: LayoutRow }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const { data } = useQuery(usageQuery(id))
  return (
    <>
      <IconButton label={t.words.deleteTitle(name)} variant="plain" onClick={() => setAsks(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={t.words.deleteTitle(name)}
        consequence={t.layouts.deleteHint(data ? data.templateCount + data.campaignCount : 0)}
        onConfirm={async () => {
          await answer(api.DELETE('/layouts/{id}', { params: { path: { id } } }))
          await navigate({ to: '/layouts' })
        }}
      />
    </>
  )
}
