// The panel of a call to another system.
import { Plus, X } from 'lucide-react'
import { t } from '../../../texts'
import { Button, IconButton } from '../../../ui/button'
import { inputClass, SelectField, TextField } from '../../../ui/field'
import { JsonField, type PanelProps, textOf } from './fields'

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
        onChange={event => onChange({ ...config, method: event.target.value })}
      >
        {methods.map(each => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <Headers config={config} onChange={onChange} />
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

function Headers({ config, onChange }: PanelProps) {
  const headers = (config['headers'] ?? {}) as Record<string, string>
  const rows = Object.entries(headers)
  const put = (next: Array<[string, string]>, key?: string): void =>
    onChange({ ...config, headers: Object.fromEntries(next) }, key)
  const replace = (index: number, row: [string, string]): void =>
    put(
      rows.map((each, at) => (at === index ? row : each)),
      `header.${index}`,
    )
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">{t.workflows.headers}</legend>
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while one types.
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1.5">
          <input
            aria-label={t.workflows.headerName}
            placeholder={t.workflows.headerName}
            className={inputClass}
            value={name}
            onChange={event => replace(index, [event.target.value, value])}
          />
          <input
            aria-label={t.words.value}
            placeholder={t.words.value}
            className={inputClass}
            value={value}
            onChange={event => replace(index, [name, event.target.value])}
          />
          <IconButton
            label={t.workflows.removeHeader(name)}
            onClick={() => put(rows.filter((_, at) => at !== index))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button look="quiet" disabled={'' in headers} onClick={() => put([...rows, ['', '']])}>
        <Plus aria-hidden /> {t.workflows.addHeader}
      </Button>
    </fieldset>
  )
}
