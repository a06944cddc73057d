// One template: written in one of three ways, with the mail beside it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Copy, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import { useProject } from '../../app/session'
import { readable } from '../../editor/check'
import { Conflict } from '../../editor/conflict'
import { MessageFields } from '../../editor/message-fields'
import { OfferNote } from '../../editor/offer-note'
import { useSaveKey, useSaving } from '../../editor/save'
import { useWriting } from '../../editor/use-edited'
import { type Mode, ModeSwitch, Writer } from '../../editor/writer'
import { bodyOf, readWriting, savedOf, type Writing } from '../../editor/writing'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { Form } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Menu } from '../../ui/menu'
import { BarPage } from '../../ui/page'
import { toast } from '../../ui/toast'
import { type TemplateRow, templateQuery, usageQuery } from './data'

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
  const state = useWriting(`template.${id}`, template)
  const { language } = useProject()
  const [busy, setBusy] = useState(false)
  const [mode, setMode] = useState<Mode>('write')
  const saving = useSaving(state, {
    change(writing, expectedVersion) {
      const body = { ...savedOf(writing), expectedVersion }
      return answer(api.PATCH('/templates/{id}', { params: { path: { id } }, body })) as Promise<TemplateRow>
    },
    load: () => read('/templates/{id}', { path: { id } }),
    read: stored => readWriting(stored, language),
    remember: stored => renew(queries, templateQuery(id).queryKey, stored),
  })
  const form = useRef<HTMLFormElement>(null)
  useSaveKey(() => busy || form.current?.requestSubmit())
  const setWriting = (writing: Writing): void => state.change(() => writing)
  const told = async (saved: Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      if (await saved) toast(t.words.saved)
    } catch (problem) {
      throw readable(problem, { subject: state.value.subject, body: bodyOf(state.value) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <BarPage
      title={state.value.name || template.name}
      above={<BackLink to="/templates">{t.templates.title}</BackLink>}
      middle={<ModeSwitch mode={mode} onMode={setMode} />}
      actions={
        <>
          {state.isDirty && <span className="self-center text-quiet max-md:hidden">{t.writing.unsaved}</span>}
          <More template={template} />
          <Button type="submit" form="message" look="strong" busy={busy}>
            {t.words.save}
          </Button>
        </>
      }
    >
      <OfferNote state={state} />
      <Writer value={state.value} onChange={setWriting} mode={mode} onMode={setMode}>
        <Form ref={form} id="message" onSubmit={() => told(saving.save())} about={state.value}>
          <MessageFields value={state.value} onChange={setWriting} />
        </Form>
      </Writer>
      <Conflict
        mine={{ subject: state.value.subject, body: bodyOf(state.value) }}
        theirs={saving.theirs}
        onKeep={() => void told(saving.keep())}
        onTake={() => void saving.take()}
        onClose={saving.close}
      />
    </BarPage>
  )
}

function More({ template: { id, name } }: { template: TemplateRow }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const { data: usage } = useQuery(usageQuery(id))
  const copy = async (): Promise<void> => {
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
