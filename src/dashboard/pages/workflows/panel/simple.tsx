// The panels of steps with few settings: a mail, a delay, waiting for an event, the end.
import { useQuery } from '@tanstack/react-query'
import { TopicField } from '../../../editor/topic-field'
import { t } from '../../../texts'
import { CheckField, SelectField, TextField } from '../../../ui/field'
import { templatesQuery } from '../data'
import { AmountField, EventField, type PanelProps, textOf, toAmount, toSeconds, type Unit } from './fields'

interface EmailProps extends PanelProps {
  templateId: string | null
  onTemplate: (id: string | null) => void
}

export function EmailPanel({ config, onChange, templateId, onTemplate }: EmailProps) {
  const { data: templates = [] } = useQuery(templatesQuery)
  const recipient = config['recipient'] as { type?: string; customEmail?: string } | undefined
  const isCustom = recipient?.type === 'CUSTOM'
  return (
    <>
      <SelectField
        name="templateId"
        label={t.workflows.template}
        hint={templates.length === 0 ? t.workflows.noTemplates : undefined}
        value={templateId ?? ''}
        onChange={event => onTemplate(event.target.value || null)}
      >
        <option value="">{t.words.chooseTemplate}</option>
        {templateId && templates.every(({ id }) => id !== templateId) && (
          <option value={templateId}>{t.workflows.says.template}</option>
        )}
        {templates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        name="config.recipient"
        label={t.words.to}
        value={isCustom ? 'CUSTOM' : 'CONTACT'}
        onChange={event =>
          // A topic is for mail to the contact itself.
          onChange(event.target.value === 'CUSTOM' ? { recipient: { type: 'CUSTOM', customEmail: '' } } : {})
        }
      >
        <option value="CONTACT">{t.workflows.toContact}</option>
        <option value="CUSTOM">{t.workflows.toOther}</option>
      </SelectField>
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

export function DelayPanel({ config, onChange }: PanelProps) {
  const amount = typeof config['amount'] === 'number' ? config['amount'] : undefined
  return (
    <AmountField
      name="config.amount"
      label={t.workflows.howLong}
      amount={amount}
      unit={(config['unit'] as Unit | undefined) ?? 'days'}
      onChange={(next, unit) => onChange(next === undefined ? {} : { amount: next, unit }, 'amount')}
    />
  )
}

interface WaitProps extends PanelProps {
  isSplit: boolean
  onSplit: (apart: boolean) => void
}

export function WaitPanel({ config, onChange, isSplit, onSplit }: WaitProps) {
  const timeout = typeof config['timeout'] === 'number' ? config['timeout'] : undefined
  return (
    <>
      <EventField
        name="config.eventName"
        label={t.workflows.waitFor}
        value={textOf(config['eventName'])}
        onChange={eventName => onChange({ ...config, eventName }, 'eventName')}
      />
      <CheckField
        name="gives-up"
        label={t.workflows.givesUp}
        hint={t.workflows.givesUpHint}
        checked={timeout !== undefined}
        onChange={event => onChange({ ...config, timeout: event.target.checked ? 259_200 : null })}
      />
      {timeout !== undefined && (
        <>
          <AmountField
            name="config.timeout"
            label={t.workflows.givesUpAfter}
            {...toAmount(timeout)}
            onChange={(amount = 0, unit) =>
              onChange({ ...config, timeout: toSeconds(amount, unit) }, 'timeout')
            }
          />
          <CheckField
            name="split"
            label={t.workflows.splits}
            hint={t.workflows.splitsHint}
            checked={isSplit}
            onChange={event => onSplit(event.target.checked)}
          />
        </>
      )}
    </>
  )
}

export function ExitPanel({ config, onChange }: PanelProps) {
  return (
    <TextField
      name="config.reason"
      label={t.words.reason}
      hint={t.workflows.reasonHint}
      optional
      maxLength={500}
      value={textOf(config['reason'])}
      onChange={event => onChange(event.target.value ? { reason: event.target.value } : {}, 'reason')}
    />
  )
}
