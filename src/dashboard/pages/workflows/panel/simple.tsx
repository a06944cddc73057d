// The panels of steps with few settings: a delay, waiting for an event, a change of the contact, a webhook, the end.
import type { Config } from '../../../editor/flow/graph'
import { t } from '../../../texts'
import { CheckField, SelectField, TextField } from '../../../ui/field'
import {
  AmountField,
  EventField,
  JsonField,
  PairsField,
  type PanelProps,
  readTyped,
  textOf,
  toAmount,
  toSeconds,
  type Unit,
} from './fields'

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
  onSplit: (isSplit: boolean) => void
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

const subscriptions = ['none', 'subscribe', 'unsubscribe'] as const

export function ContactPanel({ config, onChange }: PanelProps) {
  const { data, ...rest } = config
  return (
    <>
      <PairsField
        legend={t.workflows.setFields}
        hint={t.workflows.setFieldsHint}
        words={{ name: t.words.name, remove: t.contacts.removeField, add: t.contacts.addField }}
        pairs={(config['updates'] ?? data ?? {}) as Config}
        read={readTyped}
        onChange={(updates, key) => onChange({ ...rest, updates }, key)}
      />
      <SelectField
        name="config.subscriptionAction"
        label={t.words.subscription}
        value={textOf(config['subscriptionAction']) || 'none'}
        options={subscriptions.map(each => [each, t.workflows.subscription[each]])}
        onChange={event => onChange({ ...config, subscriptionAction: event.target.value })}
      />
    </>
  )
}

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE']

export function WebhookPanel({ config, onChange }: PanelProps) {
  return (
    <>
      <TextField
        name="config.url"
        label={t.words.url}
        hint={t.workflows.urlHint}
        type="url"
        value={textOf(config['url'])}
        onChange={event => onChange({ ...config, url: event.target.value }, 'url')}
      />
      <SelectField
        name="config.method"
        label={t.workflows.method}
        value={textOf(config['method']) || 'POST'}
        options={methods.map(each => [each, each])}
        onChange={event => onChange({ ...config, method: event.target.value })}
      />
      <PairsField
        legend={t.workflows.headers}
        words={{
          name: t.workflows.headerName,
          remove: t.workflows.removeHeader,
          add: t.workflows.addHeader,
        }}
        pairs={(config['headers'] ?? {}) as Config}
        onChange={(headers, key) => onChange({ ...config, headers }, key && `header.${key}`)}
      />
      <JsonField
        name="config.body"
        label={t.words.body}
        hint={t.workflows.bodyHint}
        value={config['body']}
        onChange={body => {
          const { body: _, ...rest } = config
          onChange(body === undefined ? rest : { ...rest, body }, 'body')
        }}
      />
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
