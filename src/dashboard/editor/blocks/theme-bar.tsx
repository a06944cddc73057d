// Colours and typeface of the whole mail, and the preview text that follows the subject in a list of mails.
import { t } from '../../texts'
import { inputClass, Select } from '../../ui/field'
import type { MailDocument } from '../mail/document'

interface ThemeBarProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

const colours = ['background', 'sheet', 'ink', 'accent'] as const

export function ThemeBar<Value extends Pick<MailDocument, 'theme' | 'preheader'>>({
  value,
  onChange,
}: ThemeBarProps<Value>) {
  const { theme, preheader } = value
  const change = (more: Partial<MailDocument['theme']>): void =>
    onChange({ ...value, theme: { ...theme, ...more } })
  return (
    <div className="flex flex-wrap items-end gap-3 border-t border-line px-3 py-3">
      <label className="basis-full space-y-1 text-xs text-quiet">
        <span className="block">{t.writing.preheader}</span>
        <input
          className={inputClass}
          value={preheader}
          maxLength={300}
          onChange={event => onChange({ ...value, preheader: event.target.value })}
        />
      </label>
      {colours.map(name => (
        <label key={name} className="space-y-1 text-xs text-quiet">
          <span className="block">{t.writing.colours[name]}</span>
          <input
            type="color"
            className="control w-12 cursor-pointer rounded-md border border-edge bg-sheet p-1"
            value={theme[name]}
            onChange={event => change({ [name]: event.target.value })}
          />
        </label>
      ))}
      <div className="space-y-1 text-xs text-quiet">
        <span className="block" aria-hidden>
          {t.writing.font}
        </span>
        <Select
          label={t.writing.font}
          value={theme.font}
          options={(['sans', 'serif'] as const).map(font => [font, t.writing.fonts[font]])}
          onChange={font => change({ font: font as MailDocument['theme']['font'] })}
        />
      </div>
    </div>
  )
}
