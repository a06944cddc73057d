// What is set once for the whole email: its colors and its font.
import { useId } from 'react'
import { t } from '../../texts'
import { Select } from '../../ui/field'
import type { MailDocument, MailTheme } from '../mail/document'
import { ColorField } from './settings'

interface MailSettingsProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

const colours = ['background', 'sheet', 'ink', 'accent'] as const

export function MailSettings<Value extends Pick<MailDocument, 'theme'>>({
  value,
  onChange,
}: MailSettingsProps<Value>) {
  const id = useId()
  const { theme } = value
  const change = (more: Partial<MailTheme>): void => onChange({ ...value, theme: { ...theme, ...more } })
  return (
    <div className="grid grid-cols-2 gap-x-2 gap-y-3">
      {colours.map(name => (
        <div key={name} className="min-w-0 space-y-1">
          <label htmlFor={`${id}-${name}`} className="block text-xs font-medium">
            {t.writing.colours[name]}
          </label>
          <ColorField
            id={`${id}-${name}`}
            value={theme[name]}
            otherwise={theme[name]}
            onChange={colour => colour && change({ [name]: colour })}
          />
        </div>
      ))}
      <div className="col-span-2 space-y-1">
        <label htmlFor={`${id}-font`} className="block text-xs font-medium">
          {t.writing.font}
        </label>
        <Select
          id={`${id}-font`}
          value={theme.font}
          options={(['sans', 'serif'] as const).map(font => [font, t.writing.fonts[font]])}
          onChange={font => change({ font: font as MailTheme['font'] })}
        />
      </div>
    </div>
  )
}
