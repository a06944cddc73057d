// Making a form and changing it, beside what visitors will see of it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { queryClient, refresh } from '../../app/session'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Badge } from '../../ui/badge'
import { Button, buttonClass } from '../../ui/button'
import { changedParts } from '../../ui/changed-parts'
import { ConfirmButton } from '../../ui/confirm'
import { CodeBlock, CopyValue } from '../../ui/copy'
import { useDraft } from '../../ui/draft'
import { CheckField } from '../../ui/field'
import { Form, SubmitButton } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { toast } from '../../ui/toast'
import { draftOf, type FormDraft, formBody, formQuery, newDraft, type SignUpForm } from './data'
import { FieldsEditor } from './fields'
import { FormFigures } from './list'
import { FormPreview, LookFields, Purpose, SenderNote, useLacksSender, What } from './parts'

const route = getRouteApi('/inside/forms/$id')

export function NewForm() {
  return <Editor initial={newDraft} />
}

export function FormPage() {
  const { id } = route.useParams()
  const query = useQuery(formQuery(id))
  return (
    <Loaded page query={query}>
      {form => <Editor key={id} form={form} initial={draftOf(form)} />}
    </Loaded>
  )
}

interface EditorProps {
  initial: FormDraft
  /** None for a new one. */
  form?: SignUpForm
}

function Editor({ initial, form }: EditorProps) {
  const { draft, change, save, discard, isDrafted } = useEditor({ initial, form })
  const lacksSender = useLacksSender(draft)
  const [isRefusal, setRefusal] = useState(false)
  const note = useRef<HTMLDivElement>(null)
  const fields = useRef<HTMLFormElement>(null)
  const submit = async (): Promise<void> => {
    setRefusal(lacksSender)
    if (lacksSender) note.current?.focus()
    else await save()
  }
  return (
    <Page
      title={form?.name ?? t.forms.create}
      state={form && !form.enabled && <Badge tone="warn">{t.words.off}</Badge>}
      above={<BackLink to="/forms">{t.forms.title}</BackLink>}
      actions={form && <Delete form={form} />}
    >
      {lacksSender && (
        <SenderNote
          ref={note}
          isRefusal={isRefusal}
          // The button that had the focus goes with the note.
          onChosen={() => fields.current?.querySelector('input')?.focus()}
        />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Form ref={fields} onSubmit={submit} about={draft} className="min-w-0 space-y-6">
          <Card>
            <Purpose draft={draft} change={change} />
          </Card>
          <Card title={t.forms.fields} description={t.forms.fieldsHint}>
            <FieldsEditor fields={draft.fields} onChange={fields => change({ fields })} />
          </Card>
          <Card title={t.forms.look}>
            <LookFields draft={draft} change={change} />
          </Card>
          <Card title={t.forms.afterwards}>
            <What draft={draft} change={change} />
          </Card>
          <div className="flex flex-wrap justify-end gap-2">
            {isDrafted && <Button onClick={discard}>{t.segments.discard}</Button>}
            <SubmitButton>{form ? t.words.save : t.forms.create}</SubmitButton>
          </div>
        </Form>
        <div className="min-w-0 space-y-6 lg:sticky lg:top-6">
          <FormPreview draft={draft} />
          {form && (
            <Card title={t.forms.soFar}>
              <FormFigures form={form} />
            </Card>
          )}
          {form && <Embed form={form} />}
        </div>
      </div>
    </Page>
  )
}

/** What is typed outlives a reload until it is saved. */
function useEditor({ initial, form }: EditorProps) {
  const navigate = useNavigate()
  const [draft, setDraft, clear] = useDraft(`form.${form?.id ?? 'new'}`, initial)
  const [round, setRound] = useState(initial)
  const change = (part: Partial<FormDraft>): void => setDraft({ ...draft, ...part })
  const save = async (): Promise<void> => {
    const body = formBody(draft)
    const changes = changedParts(body, formBody(round))
    const saved = form
      ? await answer(api.PATCH('/signup-forms/{id}', { params: { path: { id: form.id } }, body: changes }))
      : await answer(api.POST('/signup-forms', { body }))
    clear()
    setRound(draftOf(saved))
    queryClient.setQueryData(formQuery(saved.id).queryKey, saved)
    toast(t.words.saved)
    if (!form) await navigate({ to: '/forms/$id', params: { id: saved.id } })
  }
  const discard = (): void => {
    setDraft(round)
    clear()
  }
  const isDrafted = JSON.stringify(draft) !== JSON.stringify(round)
  return { draft, change, save, discard, isDrafted }
}

function Delete({ form: { id, name } }: { form: SignUpForm }) {
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/signup-forms/{id}', { params: { path: { id } } }))
    await navigate({ to: '/forms' })
    await refresh('forms', 'list')
    toast(t.words.deleted(name))
  }
  return (
    <ConfirmButton
      title={t.words.deleteTitle(name)}
      consequence={t.forms.deleteHint}
      label={t.words.delete}
      onConfirm={remove}
    />
  )
}

/** Where the form is: its own page, and the HTML for other pages. */
function Embed({ form: { id, url, snippet, enabled } }: { form: SignUpForm }) {
  const [withScript, setWithScript] = useState(false)
  const script = `\n<script src="${url.slice(0, -id.length)}embed.js" async></script>`
  return (
    <Card title={t.forms.where}>
      <div className="space-y-4">
        <CopyValue value={url} />
        {enabled && (
          <p>
            <a className={buttonClass('plain')} href={url} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden />
              {t.forms.openPage}
            </a>
          </p>
        )}
        <p className="text-quiet">{t.forms.snippetHint}</p>
        <CodeBlock code={withScript ? snippet + script : snippet} className="max-h-72 overflow-hidden" />
        <CheckField
          name="script"
          label={t.forms.script}
          hint={t.forms.scriptHint}
          checked={withScript}
          onChange={event => setWithScript(event.target.checked)}
        />
      </div>
    </Card>
  )
}
