// One layout: its source, and beside it the mail that it makes from a sample text.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import { useProject } from '../../app/session'
import { Conflict } from '../../editor/conflict'
import { fieldNamesQuery } from '../../editor/data'
import { OfferNote } from '../../editor/offer-note'
import { MailPreview } from '../../editor/preview'
import { useSaveKey, useSaving } from '../../editor/save'
import { useWriting } from '../../editor/use-edited'
import { readWriting, type Writing } from '../../editor/writing'
import { language, t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Button, IconButton } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { Loaded, Skeleton } from '../../ui/loading'
import { Page } from '../../ui/page'
import { toast } from '../../ui/toast'
import { asWritten, type LayoutRow, layoutQuery, usageQuery } from './data'
import { sampleContent } from './sample'

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
  const stored = useMemo(() => asWritten(layout), [layout])
  const state = useWriting(`layout.${id}`, stored)
  const writing = state.value
  const setWriting = (changed: Writing): void => state.change(() => changed)
  const { language: projectLanguage } = useProject()
  const [busy, setBusy] = useState(false)
  const saving = useSaving(state, {
    change({ name, source }, expectedVersion) {
      const body = { name, body: source || ' ', expectedVersion }
      return answer(api.PATCH('/layouts/{id}', { params: { path: { id } }, body })) as Promise<LayoutRow>
    },
    load: () => read('/layouts/{id}', { path: { id } }),
    read: row => readWriting(asWritten(row), projectLanguage),
    remember: row => renew(queries, layoutQuery(id).queryKey, row),
  })
  const form = useRef<HTMLFormElement>(null)
  useSaveKey(() => busy || form.current?.requestSubmit())
  const told = async (saved: Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      if (await saved) toast(t.words.saved)
      // Mails in this layout look different now.
      queries.removeQueries({ queryKey: ['writing', 'preview'] })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Page
      title={writing.name || layout.name}
      above={<BackLink to="/layouts">{t.layouts.title}</BackLink>}
      actions={
        <>
          {state.isDirty && <span className="self-center text-quiet">{t.writing.unsaved}</span>}
          <Deletion layout={layout} />
          <Button type="submit" form="layout" look="strong" busy={busy}>
            {t.words.save}
          </Button>
        </>
      }
    >
      <OfferNote state={state} />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Form ref={form} id="layout" onSubmit={() => told(saving.save())} about={writing}>
          <TextField
            name="name"
            label={t.words.name}
            required
            maxLength={100}
            value={writing.name}
            onChange={event => setWriting({ ...writing, name: event.target.value })}
          />
          <Source value={writing.source} onChange={source => setWriting({ ...writing, source })} />
          <Uses id={id} />
        </Form>
        <div className="min-w-0 xl:sticky xl:top-4 xl:self-start">
          <Sample layout={writing.source} />
        </div>
      </div>
      <Conflict
        mine={{ subject: writing.name, body: writing.source }}
        theirs={saving.theirs && { subject: saving.theirs.name, body: saving.theirs.body }}
        onKeep={() => void told(saving.keep())}
        onTake={saving.take}
        onClose={saving.close}
      />
    </Page>
  )
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

/** The layout around a sample text. */
function Sample({ layout }: { layout: string }) {
  const spoken = language()
  const body = useMemo(() => spoken && sampleContent(), [spoken])
  return <MailPreview subject="" body={body} type="MARKETING" layout={layout || ' '} />
}

function Uses({ id }: { id: string }) {
  const { data } = useQuery(usageQuery(id))
  if (!data) return null
  const { templateCount, campaignCount } = data
  const isUsed = templateCount + campaignCount > 0
  return (
    <p className="text-quiet">{isUsed ? t.layouts.uses(templateCount, campaignCount) : t.layouts.unused}</p>
  )
}

function Deletion({ layout: { id, name } }: { layout: LayoutRow }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const { data } = useQuery(usageQuery(id))
  return (
    <>
      <IconButton label={t.words.deleteTitle(name)} look="plain" onClick={() => setAsks(true)}>
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
