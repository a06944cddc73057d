// What holds for the whole project: name, sender, tracking, language, rules of sending and of consent, and its deletion.
import { useQuery } from '@tanstack/react-query'
import { domainsQuery } from '../../api/domains'
import { isAdmin, type Project, useProject } from '../../app/session'
import { t } from '../../texts'
import { CheckField, SelectField, TextField } from '../../ui/field'
import type { Values } from '../../ui/form'
import { languageName, languagesOfMail } from '../../ui/languages'
import { Page } from '../../ui/page'
import { DangerZone } from './danger'
import { AdminsOnly, SettingsCard } from './frame'
import { MailRules } from './mail-rules'
import { Retention } from './retention'
import type { Changes } from './save'

export function General() {
  const project = useProject()
  return (
    <Page title={t.settings.tabs.general}>
      <AdminsOnly />
      <Basics project={project} />
      <Sender project={project} />
      <MailRules project={project} />
      <ConsentRules project={project} />
      <Retention project={project} />
      {isAdmin(project) && <DangerZone project={project} />}
    </Page>
  )
}

interface CardProps {
  project: Project
}

/** In seconds. */
const delays = [0, 10, 30, 60, 120, 300, 600]

const modes = ['ENABLED', 'MARKETING_ONLY', 'DISABLED'] as const

function Basics({ project }: CardProps) {
  const read = ({ name, tracking, language, sendDelaySeconds }: Values): Changes => ({
    name,
    sendDelaySeconds: Number(sendDelaySeconds),
    tracking: modes.find(mode => mode === tracking),
    language,
  })
  return (
    <SettingsCard project={project} title={t.settings.basics} read={read}>
      {({ name, tracking, language, sendDelaySeconds }) => (
        <>
          <TextField
            name="name"
            label={t.words.name}
            hint={t.settings.nameHint}
            defaultValue={name}
            maxLength={100}
            required
          />
          <SelectField
            name="tracking"
            label={t.settings.tracking}
            hint={t.settings.trackingHint}
            defaultValue={tracking}
            options={modes.map(mode => [mode, t.settings.trackingModes[mode]])}
          />
          <SelectField
            name="language"
            label={t.settings.language}
            hint={t.settings.languageHint}
            defaultValue={language}
            options={languagesOfMail(language).map(code => [code, languageName(code)])}
          />
          <SelectField
            name="sendDelaySeconds"
            label={t.settings.sendDelay}
            hint={t.settings.sendDelayHint}
            defaultValue={String(sendDelaySeconds)}
            options={[...new Set([...delays, sendDelaySeconds])].map(seconds => [
              String(seconds),
              seconds === 0 ? t.settings.noSendDelay : t.settings.delay(seconds),
            ])}
          />
        </>
      )}
    </SettingsCard>
  )
}

/** The default sender, for mail where neither the request nor its template names one. */
function Sender({ project }: CardProps) {
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const verified = domains.find(domain => domain.verified)
  const read = ({ email = '', name, replyTo }: Values): Changes => ({
    defaultSender: email.trim() ? { email, name: name || null, replyTo: replyTo || null } : null,
  })
  return (
    <SettingsCard project={project} title={t.settings.sender} description={t.settings.senderHint} read={read}>
      {({ defaultSender }) => (
        <>
          <TextField
            name="email"
            type="email"
            label={t.settings.senderEmail}
            hint={t.settings.senderEmailHint}
            placeholder={verified && `hello@${verified.domain}`}
            defaultValue={defaultSender?.email}
            maxLength={320}
          />
          <div className="grid gap-4 md:grid-cols-2">
            <TextField
              name="name"
              label={t.settings.senderName}
              placeholder={project.name}
              defaultValue={defaultSender?.name ?? ''}
              maxLength={255}
              optional
            />
            <TextField
              name="replyTo"
              type="email"
              label={t.settings.replyTo}
              defaultValue={defaultSender?.replyTo ?? ''}
              maxLength={320}
              optional
            />
          </div>
        </>
      )}
    </SettingsCard>
  )
}

const consentRules = ['keepsOptOuts', 'keepsClients', 'offersData'] as const

/** Whether the public key may undo an opt-out, whether hashes of clients are kept, and whether people are offered their data. */
function ConsentRules({ project }: CardProps) {
  const words = t.settings.consent
  const read = (values: Values): Changes =>
    Object.fromEntries(consentRules.map(rule => [rule, values[rule] !== undefined]))
  return (
    <SettingsCard project={project} title={words.title} read={read}>
      {shown =>
        consentRules.map(rule => (
          <CheckField
            key={rule}
            name={rule}
            label={words[rule]}
            hint={words[`${rule}Hint`]}
            defaultChecked={shown[rule]}
          />
        ))
      }
    </SettingsCard>
  )
}
