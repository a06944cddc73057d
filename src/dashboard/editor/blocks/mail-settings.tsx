// What is set once for the whole email: its colors and its font.
import { useId } from 'react'
import { t } from '../../texts'
import { ColorField } from '../../ui/color-field'
import { Select } from '../../ui/field'
import type { MailDocument, MailTheme } from '../mail/document'
import { mailFonts } from '../mail/fonts'

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
      {(['headingFont', 'font'] as const).map(name => (
        <div key={name} className="col-span-2 space-y-1">
          <label htmlFor={`${id}-${name}`} className="block text-xs font-medium">
            {t.writing.fontLabels[name]}
          </label>
          <Select
            id={`${id}-${name}`}
            value={theme[name] ?? theme.font}
            options={mailFonts.map(font => [font, t.writing.fonts[font]])}
            onChange={font => change({ [name]: font })}
          />
        </div>
      ))}
    </div>
  )
}
