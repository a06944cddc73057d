// One form, beside what visitors will see of it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ExternalLink, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { ForSenders, ForWriters, ForWritersFields } from '../../app/rights'
import { refresh } from '../../app/session'
import { Conflict } from '../../editor/conflict'
import { OfferNote } from '../../editor/offer-note'
import { Publish, SaveState, UndoRedo } from '../../editor/save-state'
import { useDraftKeys } from '../../editor/use-draft'
import { usePress } from '../../editor/use-press'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Badge } from '../../ui/badge'
import { useBusy } from '../../ui/busy'
import { Button, buttonClass } from '../../ui/button'
import { Confirm } from '../../ui/confirm'
import { CodeBlock, CopyValue } from '../../ui/copy'
import { ErrorNote } from '../../ui/error-note'
import { CheckField } from '../../ui/field'
import { Faults } from '../../ui/form'
import { Loaded } from '../../ui/loading'
import { Menu } from '../../ui/menu'
import { BarPage, Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { type FormDraft, formFaults, formQuery, type SignUpForm } from './data'
import { FieldsEditor } from './fields'
import { FormFigures } from './list'
import { FormPreview, LookFields, Purpose, SenderNote, useLacksSender, What } from './parts'
import { useForm } from './use-form'

const route = getRouteApi('/inside/forms/$id')

export function FormPage() {
  const { id } = route.useParams()
  const query = useQuery(formQuery(id))
  return (
    <Loaded page query={query}>
      {form => <Editor key={id} form={form} />}
    </Loaded>
  )
}

function Editor({ form }: { form: SignUpForm }) {
  const { enabled } = form
  const { draft, switchTo } = useForm(form)
  const { value, isLive } = draft
  const press = usePress(draft, formFaults)
  const [busy, run] = useBusy()
  const lacksSender = useLacksSender(value)
  const [isRefusal, setRefusal] = useState(false)
  const note = useRef<HTMLDivElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  const change = (part: Partial<FormDraft>): void => draft.change(old => ({ ...old, ...part }))
  const save = async (): Promise<void> => {
    if (isLive) toast(t.writing.keptHere)
    else if (await press.store()) toast(t.words.saved)
  }
  useDraftKeys(draft, save)
  const turnOn = async (): Promise<void> => {
    setRefusal(lacksSender)
    if (lacksSender) return note.current?.focus()
    const stored = await press.store()
    if (!stored) return
    await switchTo(true, stored.version)
    toast(t.forms.turnedOn)
  }
  const turnOff = async (): Promise<void> => {
    await switchTo(false)
    toast(t.forms.turnedOff)
  }
  const switching = enabled ? t.words.turnOff : t.words.turnOn
  return (
    <BarPage
      title={value.name || form.name}
      state={<Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? t.words.on : t.words.off}</Badge>}
      saved={<SaveState draft={draft} onMissing={press.store} />}
      history={<UndoRedo history={draft} />}
      above={<BackLink to="/forms">{t.forms.title}</BackLink>}
      actions={
        <>
          <ForWriters>
            <More form={form} />
          </ForWriters>
          <ForSenders when={!enabled} label={switching} variant="strong">
            <Button
              variant={enabled ? 'plain' : 'strong'}
              busy={busy}
              onClick={() => run(enabled ? turnOff : turnOn)}
            >
              {switching}
            </Button>
          </ForSenders>
          {isLive && <Publish draft={draft} store={press.store} />}
        </>
      }
    >
      <div className="mx-auto max-w-6xl space-y-4 pb-8">
        <OfferNote draft={draft} />
        {press.problem !== undefined && <ErrorNote error={press.problem} takesFocus />}
        {lacksSender && (
          <SenderNote
            ref={note}
            isRefusal={isRefusal}
            // The button that had the focus goes with the note.
            onChosen={() => fields.current?.querySelector('input')?.focus()}
          />
        )}
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div ref={fields} className="min-w-0">
            <ForWritersFields className="space-y-6">
              <Faults of={press.faults}>
                <Card>
                  <Purpose draft={value} change={change} />
                </Card>
                <Card title={t.forms.fields} description={t.forms.fieldsHint}>
                  <FieldsEditor fields={value.fields} onChange={fields => change({ fields })} />
                </Card>
                <Card title={t.forms.look}>
                  <LookFields draft={value} change={change} />
                </Card>
                <Card title={t.forms.afterwards}>
                  <What draft={value} change={change} />
                </Card>
              </Faults>
            </ForWritersFields>
          </div>
          <div className="min-w-0 space-y-6 lg:sticky lg:top-18">
            <FormPreview draft={value} />
            <Card title={t.forms.soFar}>
              <FormFigures form={form} />
            </Card>
            <Embed form={form} />
          </div>
        </div>
      </div>
      <Conflict draft={draft} onKeep={press.keepMine} />
    </BarPage>
  )
}

function More({ form: { id, name } }: { form: SignUpForm }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await answer(api.DELETE('/signup-forms/{id}', { params: { path: { id } } }))
    await navigate({ to: '/forms' })
    await refresh('forms', 'list')
    toast(t.words.deleted(name))
  }
  return (
    <>
      <Menu
        entries={[
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
        consequence={t.forms.deleteHint}
        onConfirm={remove}
      />
    </>
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
