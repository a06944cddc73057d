// The default sender, for mail where neither the request nor its template names one.
import { useQuery } from '@tanstack/react-query'
import { domainsQuery } from '../../api/domains'
import { isAdmin, type Project } from '../../app/session'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Card } from '../../ui/page'
import { useSettings } from './save'

export function Sender({ project }: { project: Project }) {
  const { shown, taken, store } = useSettings(project)
  const { defaultSender } = shown
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const disabled = !isAdmin(project)
  const verified = domains.find(domain => domain.verified)
  const save = ({ email = '', name, replyTo }: Values): Promise<void> => {
    const sender = email.trim() ? { email, name: name || null, replyTo: replyTo || null } : null
    return store({ defaultSender: sender })
  }
  return (
    <Card title={t.settings.sender} description={t.settings.senderHint}>
      <Form key={taken} onSubmit={save}>
        <TextField
          name="email"
          type="email"
          label={t.settings.senderEmail}
          hint={t.settings.senderEmailHint}
          placeholder={verified && `hello@${verified.domain}`}
          defaultValue={defaultSender?.email}
          maxLength={320}
          disabled={disabled}
        />
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            name="name"
            label={t.settings.senderName}
            placeholder={project.name}
            defaultValue={defaultSender?.name ?? ''}
            maxLength={255}
            disabled={disabled}
            optional
          />
          <TextField
            name="replyTo"
            type="email"
            label={t.settings.replyTo}
            defaultValue={defaultSender?.replyTo ?? ''}
            maxLength={320}
            disabled={disabled}
            optional
          />
        </div>
        {!disabled && <SubmitButton look="plain">{t.words.save}</SubmitButton>}
      </Form>
    </Card>
  )
}
