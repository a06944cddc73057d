// Name, sender, tracking and language of the project, and its deletion.
import { isAdmin, type Project, useProject } from '../../app/session'
import { t } from '../../texts'
import { SelectField, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { languageName, languagesOfMail } from '../../ui/languages'
import { Card } from '../../ui/page'
import { ConsentRules } from './consent'
import { DangerZone } from './danger'
import { AdminsOnly, SettingsPage } from './frame'
import { MailRules } from './mail-rules'
import { Retention } from './retention'
import { useSettings } from './save'
import { Sender } from './sender'

export function General() {
  const project = useProject()
  return (
    <SettingsPage name={t.settings.tabs.general}>
      <AdminsOnly />
      <Basics project={project} />
      <Sender project={project} />
      <MailRules project={project} />
      <ConsentRules project={project} />
      <Retention project={project} />
      {isAdmin(project) && <DangerZone project={project} />}
    </SettingsPage>
  )
}

const modes = ['ENABLED', 'MARKETING_ONLY', 'DISABLED'] as const

function Basics({ project }: { project: Project }) {
  const disabled = !isAdmin(project)
  const { shown, taken, store } = useSettings(project)
  const save = ({ name, tracking, language }: Values): Promise<void> =>
    store({ name, tracking: modes.find(mode => mode === tracking), language })
  return (
    <Card title={t.settings.basics}>
      <Form key={taken} onSubmit={save}>
        <TextField
          name="name"
          label={t.words.name}
          hint={t.settings.nameHint}
          defaultValue={shown.name}
          maxLength={100}
          disabled={disabled}
          required
        />
        <SelectField
          name="tracking"
          label={t.settings.tracking}
          hint={t.settings.trackingHint}
          defaultValue={shown.tracking}
          disabled={disabled}
        >
          {modes.map(mode => (
            <option key={mode} value={mode}>
              {t.settings.trackingModes[mode]}
            </option>
          ))}
        </SelectField>
        <SelectField
          name="language"
          label={t.settings.language}
          hint={t.settings.languageHint}
          defaultValue={shown.language}
          disabled={disabled}
        >
          {languagesOfMail(shown.language).map(code => (
            <option key={code} value={code}>
              {languageName(code)}
            </option>
          ))}
        </SelectField>
        {!disabled && <SubmitButton look="plain">{t.words.save}</SubmitButton>}
      </Form>
    </Card>
  )
}
