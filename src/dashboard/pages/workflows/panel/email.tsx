// The panel of a step that sends an email: the email is written from here, or a template is chosen.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { TopicField } from '../../../editor/topic-field'
import { t } from '../../../texts'
import { useBusy } from '../../../ui/busy'
import { Button, ButtonLink } from '../../../ui/button'
import { SelectField, TextField } from '../../../ui/field'
import { templatesQuery } from '../data'
import { type PanelProps, textOf } from './fields'

const route = getRouteApi('/inside/workflows/$id')

interface EmailProps extends PanelProps {
  templateId: string | null
  onTemplate: (id: string | null) => void
  /** Makes a template for it, and leads there. */
  onWrite: () => Promise<void>
}

export function EmailPanel({ config, onChange, templateId, onTemplate, onWrite }: EmailProps) {
  const { data: templates } = useQuery(templatesQuery)
  const recipient = config['recipient'] as { type?: string; customEmail?: string } | undefined
  const isCustom = recipient?.type === 'CUSTOM'
  return (
    <>
      {templateId ? <Edit templateId={templateId} /> : <Write onWrite={onWrite} />}
      {(templateId !== null || (templates ?? []).length > 0) && (
        <SelectField
          name="templateId"
          label={t.workflows.template}
          value={templateId ?? ''}
          options={(templates ?? []).map(({ id, name }) => [id, name])}
          onChange={event => onTemplate(event.target.value || null)}
        >
          <option value="">{t.words.chooseTemplate}</option>
          {templateId && (templates ?? []).every(({ id }) => id !== templateId) && (
            <option value={templateId}>{t.workflows.says.template}</option>
          )}
        </SelectField>
      )}
      <SelectField
        name="config.recipient"
        label={t.words.to}
        value={isCustom ? 'CUSTOM' : 'CONTACT'}
        options={[
          ['CONTACT', t.workflows.toContact],
          ['CUSTOM', t.workflows.toOther],
        ]}
        onChange={event =>
          // A topic is for mail to the contact itself.
          onChange(event.target.value === 'CUSTOM' ? { recipient: { type: 'CUSTOM', customEmail: '' } } : {})
        }
      />
      {isCustom && (
        <TextField
          name="config.recipient.customEmail"
          label={t.words.address}
          type="email"
          value={textOf(recipient?.customEmail)}
          onChange={event =>
            onChange({ recipient: { type: 'CUSTOM', customEmail: event.target.value } }, 'customEmail')
          }
        />
      )}
      {!isCustom && (
        <TopicField
          name="config.topicId"
          value={textOf(config['topicId']) || null}
          onChange={topicId => onChange(topicId ? { topicId } : {})}
        />
      )}
    </>
  )
}

function Write({ onWrite }: Pick<EmailProps, 'onWrite'>) {
  const [busy, run] = useBusy()
  return (
    <Button className="w-full" busy={busy} onClick={() => run(onWrite)}>
      <PenLine aria-hidden /> {t.workflows.writeEmail}
    </Button>
  )
}

function Edit({ templateId }: { templateId: string }) {
  const { id } = route.useParams()
  const { step } = route.useSearch()
  return (
    <ButtonLink
      className="w-full"
      to="/templates/$id"
      params={{ id: templateId }}
      search={{ workflow: id, step }}
    >
      <PenLine aria-hidden /> {t.workflows.editEmail}
    </ButtonLink>
  )
}
