// The parts of a form's editor beside its fields: what it is for, how it looks, what follows; the form as visitors see it; and the sender
// that it needs.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties, Ref } from 'react'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { topicsQuery } from '../../api/topics'
import { isAdmin, refreshSession, useProject } from '../../app/session'
import { t } from '../../texts'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { fieldsOf } from '../../ui/draft'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field'
import { languageName, spoken } from '../../ui/languages'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import type { FormDraft, SignUpField } from './data'
import { templateChoice } from './data'

interface PartProps {
  draft: FormDraft
  change: (part: Partial<FormDraft>) => void
}

export function Purpose({ draft, change }: PartProps) {
  const { text } = fieldsOf(draft, change)
  return (
    <div className="space-y-4">
      <TextField
        {...text('name')}
        label={t.words.name}
        hint={t.forms.nameHint}
        required
        maxLength={100}
        autoComplete="off"
      />
      <SelectField
        {...text('language')}
        label={t.words.language}
        options={[['', t.forms.visitorLanguage], ...spoken.map(code => [code, languageName(code)] as const)]}
      />
      <Topics draft={draft} change={change} />
    </div>
  )
}

/** Those that are archived are offered no more, but may stay. */
function Topics({ draft: { topics }, change }: PartProps) {
  const { data = [] } = useQuery(topicsQuery)
  const offered = data.filter(({ id, archived }) => !archived || topics.includes(id))
  if (offered.length === 0) return null
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 font-medium">{t.forms.topics}</legend>
      {offered.map(({ id, name }) => (
        <CheckField
          key={id}
          name={`topic-${id}`}
          label={name}
          checked={topics.includes(id)}
          onChange={event =>
            change({ topics: event.target.checked ? [...topics, id] : topics.filter(each => each !== id) })
          }
        />
      ))}
    </fieldset>
  )
}

export function LookFields({ draft: { look }, change }: PartProps) {
  const { text } = fieldsOf(look, part => change({ look: { ...look, ...part } }))
  /** The server names the field by its path. */
  const of = (name: keyof FormDraft['look']) => ({ ...text(name), name: `look.${name}` })
  return (
    <div className="space-y-4">
      <TextField {...of('heading')} label={t.forms.heading} optional maxLength={100} />
      <TextArea {...of('text')} label={t.forms.text} optional rows={2} maxLength={1_000} />
      <TextArea
        {...of('consent')}
        label={t.forms.consent}
        hint={t.forms.consentHint}
        optional
        rows={2}
        maxLength={400}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField {...of('button')} label={t.forms.button} optional maxLength={50} />
        <TextField
          {...of('accent')}
          label={t.forms.accent}
          optional
          placeholder="#0b7285"
          pattern="#[0-9a-fA-F]{6}"
          title={t.forms.accentHint}
          maxLength={7}
        />
      </div>
    </div>
  )
}

export function What({ draft, change }: PartProps) {
  const { data } = useQuery(templateChoice)
  const { text } = fieldsOf(draft, change)
  const templates = (data?.data ?? []).map(({ id, name }) => [id, name] as const)
  return (
    <div className="space-y-4">
      <SelectField
        {...text('templateId')}
        label={t.forms.template}
        hint={t.forms.templateHint}
        options={[['', t.forms.ownLetter], ...templates]}
      />
      <TextField
        {...text('redirectUrl')}
        type="url"
        label={t.forms.redirect}
        hint={t.forms.redirectHint}
        optional
        placeholder="https://"
        maxLength={2_000}
      />
    </div>
  )
}

/** A form as visitors see it, while it is being written. It is a drawing: nothing in it can be filled in. */
export function FormPreview({ draft: { look, fields } }: { draft: FormDraft }) {
  const { preview } = t.forms
  const project = useProject()
  return (
    <Card title={preview.title}>
      <div
        className="space-y-3 rounded-lg border border-line bg-sunken p-4"
        role="img"
        aria-label={preview.title}
      >
        <p className="wrap-anywhere text-lg font-semibold">{look.heading || preview.heading}</p>
        {look.text && <p className="wrap-anywhere whitespace-pre-line">{look.text}</p>}
        <PreviewRow label={preview.email} />
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no names of their own while they are written.
          <Drawn key={at} field={field} />
        ))}
        <p className="wrap-anywhere text-xs text-quiet">{look.consent || preview.consent(project.name)}</p>
        <p
          className="wrap-anywhere rounded-md bg-strong px-3 py-2 text-center font-semibold text-on-strong"
          style={colours(look.accent)}
        >
          {look.button || preview.button}
        </p>
      </div>
    </Card>
  )
}

function Drawn({ field: { label, type, required } }: { field: SignUpField }) {
  const words = required || type === 'checkbox' ? label : `${label} (${t.words.optional})`
  if (type !== 'checkbox') return <PreviewRow label={words} mark={type === 'choice' ? '▾' : ''} />
  return (
    <p className="flex items-center gap-2">
      <span className="size-4 shrink-0 rounded border border-edge bg-sheet" />
      <span className="wrap-anywhere">{words}</span>
    </p>
  )
}

function PreviewRow({ label, mark = '' }: { label: string; mark?: string }) {
  return (
    <div className="space-y-1">
      <p className="wrap-anywhere text-sm">{label}</p>
      <p className={classes('h-9 rounded-md border border-edge bg-sheet px-3 py-1.5', mark && 'text-right')}>
        {mark}
      </p>
    </div>
  )
}

/** Black or white on it, as the server decides. */
function colours(accent: string): CSSProperties | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return undefined
  const share = (at: number): number => {
    const value = Number.parseInt(accent.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const luminance = 0.2126 * share(1) + 0.7152 * share(3) + 0.0722 * share(5)
  return { background: accent, color: luminance > 0.179 ? '#000' : '#fff' }
}

/** Whether there is neither the project's nor that of the template. */
export function useLacksSender({ templateId }: FormDraft): boolean {
  const { defaultSender } = useProject()
  return templateId === '' && !defaultSender
}

interface SenderNoteProps {
  ref: Ref<HTMLDivElement>
  /** Somebody has tried to turn it on without one. */
  isRefusal: boolean
  onChosen: () => void
}

export function SenderNote({ ref, isRefusal, onChosen }: SenderNoteProps) {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [busy, run] = useBusy()
  const domain = domains.find(each => each.verified)
  const email = domain && `hello@${domain.domain}`
  const choose = async (): Promise<void> => {
    const body = { defaultSender: { email: email!, name: null, replyTo: null } }
    await answer(api.PATCH('/users/@me/projects/{id}', { params: { path: { id: project.id } }, body }))
    await refreshSession()
    toast(t.forms.senderSet)
    onChosen()
  }
  return (
    <div
      ref={ref}
      role={isRefusal ? 'alert' : 'note'}
      tabIndex={-1}
      className={classes(
        'flex flex-wrap items-center gap-3 rounded-lg px-4 py-3',
        isRefusal ? 'bg-bad-soft' : 'bg-warn-soft',
      )}
    >
      <p className="min-w-60 flex-1">
        {t.forms.needsSender}{' '}
        <Link to={domain ? '/settings' : '/domains'} className="underline underline-offset-2">
          {domain ? t.forms.senderSettings : t.forms.senderDomain}
        </Link>
      </p>
      {email && isAdmin(project) && (
        <Button busy={busy} onClick={() => run(choose)}>
          {t.forms.chooseSender(email)}
        </Button>
      )}
    </div>
  )
}
