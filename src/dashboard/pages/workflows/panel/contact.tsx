// The panel of a change of the contact: fields that are set, and the subscription.
import { Plus, X } from 'lucide-react'
import type { Config } from '../../../editor/flow/graph'
import { t } from '../../../texts'
import { Button, IconButton } from '../../../ui/button'
import { inputClass, SelectField } from '../../../ui/field'
import { type PanelProps, readTyped, textOf } from './fields'

const subscriptions = ['none', 'subscribe', 'unsubscribe'] as const

export function ContactPanel({ config, onChange }: PanelProps) {
  const { data, ...rest } = config
  const updates = (config['updates'] ?? data ?? {}) as Config
  const rows = Object.entries(updates)
  const put = (next: Array<[string, unknown]>, key?: string): void =>
    onChange({ ...rest, updates: Object.fromEntries(next) }, key)
  const replace = (index: number, row: [string, unknown], key: string): void =>
    put(
      rows.map((each, at) => (at === index ? row : each)),
      key,
    )
  return (
    <>
      <fieldset className="space-y-2">
        <legend className="font-medium">{t.workflows.setFields}</legend>
        <p className="text-quiet">{t.workflows.setFieldsHint}</p>
        {rows.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while one types.
          <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1.5">
            <input
              aria-label={t.words.name}
              placeholder={t.words.name}
              className={inputClass}
              maxLength={100}
              value={name}
              onChange={event => replace(index, [event.target.value, value], `name.${index}`)}
            />
            <input
              aria-label={t.words.value}
              placeholder={t.words.value}
              className={inputClass}
              value={typeof value === 'object' ? JSON.stringify(value) : String(value)}
              onChange={event => replace(index, [name, readTyped(event.target.value)], `value.${index}`)}
            />
            <IconButton
              label={t.contacts.removeField(name)}
              onClick={() => put(rows.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
        ))}
        <Button look="quiet" disabled={'' in updates} onClick={() => put([...rows, ['', '']])}>
          <Plus aria-hidden /> {t.contacts.addField}
        </Button>
      </fieldset>
      <SelectField
        name="config.subscriptionAction"
        label={t.words.subscription}
        value={textOf(config['subscriptionAction']) || 'none'}
        onChange={event => onChange({ ...config, subscriptionAction: event.target.value })}
      >
        {subscriptions.map(each => (
          <option key={each} value={each}>
            {t.workflows.subscription[each]}
          </option>
        ))}
      </SelectField>
    </>
  )
}
