// The parts of a form's editor that are plain fields: what it is for, how it looks, what follows.
import { useQuery } from '@tanstack/react-query'
import { topicsQuery } from '../../api/topics'
import { t } from '../../texts'
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field'
import { languageName, spoken } from '../../ui/languages'
import { type FormDraft, templateChoice } from './data'

export interface PartProps {
  draft: FormDraft
  change: (part: Partial<FormDraft>) => void
}

export function Purpose({ draft, change }: PartProps) {
  return (
    <div className="space-y-4">
      <TextField
        name="name"
        label={t.words.name}
        hint={t.forms.nameHint}
        required
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        onChange={event => change({ name: event.target.value })}
      />
      <SelectField
        name="language"
        label={t.words.language}
        value={draft.language}
        onChange={event => change({ language: event.target.value })}
      >
        <option value="">{t.forms.visitorLanguage}</option>
        {spoken.map(code => (
          <option key={code} value={code}>
            {languageName(code)}
          </option>
        ))}
      </SelectField>
      <Topics draft={draft} change={change} />
      <CheckField
        name="enabled"
        label={t.forms.enabled}
        hint={t.forms.enabledHint}
        checked={draft.enabled}
        onChange={event => change({ enabled: event.target.checked })}
      />
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
  const set = (part: Partial<FormDraft['look']>): void => change({ look: { ...look, ...part } })
  return (
    <div className="space-y-4">
      <TextField
        name="look.heading"
        label={t.forms.heading}
        optional
        maxLength={100}
        value={look.heading}
        onChange={event => set({ heading: event.target.value })}
      />
      <TextArea
        name="look.text"
        label={t.forms.text}
        optional
        rows={2}
        maxLength={1_000}
        value={look.text}
        onChange={event => set({ text: event.target.value })}
      />
      <TextArea
        name="look.consent"
        label={t.forms.consent}
        hint={t.forms.consentHint}
        optional
        rows={2}
        maxLength={400}
        value={look.consent}
        onChange={event => set({ consent: event.target.value })}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          name="look.button"
          label={t.forms.button}
          optional
          maxLength={50}
          value={look.button}
          onChange={event => set({ button: event.target.value })}
        />
        <TextField
          name="look.accent"
          label={t.forms.accent}
          optional
          placeholder="#0b7285"
          pattern="#[0-9a-fA-F]{6}"
          title={t.forms.accentHint}
          maxLength={7}
          value={look.accent}
          onChange={event => set({ accent: event.target.value })}
        />
      </div>
    </div>
  )
}

export function What({ draft, change }: PartProps) {
  const { data: templates = [] } = useQuery(templateChoice)
  return (
    <div className="space-y-4">
      <SelectField
        name="templateId"
        label={t.forms.template}
        hint={t.forms.templateHint}
        value={draft.templateId}
        onChange={event => change({ templateId: event.target.value })}
      >
        <option value="">{t.forms.ownLetter}</option>
        {templates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        name="redirectUrl"
        type="url"
        label={t.forms.redirect}
        hint={t.forms.redirectHint}
        optional
        placeholder="https://"
        maxLength={2_000}
        value={draft.redirectUrl}
        onChange={event => change({ redirectUrl: event.target.value })}
      />
    </div>
  )
}
