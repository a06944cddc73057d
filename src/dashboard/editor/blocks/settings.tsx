// What can be set of each block, in the order of the panel, and a field for each.
import { AlignCenter, AlignLeft, AlignRight } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../texts'
import { ColorField } from '../../ui/color-field'
import { inputClass, Select } from '../../ui/field'
import { Segmented } from '../../ui/segmented'
import { RowColumns, SocialLinks } from './list-settings'
import { variableLabel, variablesOf } from './variables'

type Kind =
  | 'text'
  | 'words'
  | 'url'
  | 'pixels'
  | 'number'
  | 'color'
  | 'align'
  | 'variable'
  | 'code'
  | 'links'
  | 'columns'

export interface Setting {
  name: keyof typeof t.writing.members
  kind: Kind
  /** As it is while nothing is set. */
  otherwise?: string | number
  most?: number
  least?: number
}

const space = (after = 16): Setting[] => [
  { name: 'paddingTop', kind: 'pixels', otherwise: 0, most: 96 },
  { name: 'paddingBottom', kind: 'pixels', otherwise: after, most: 96 },
]
const frame: Setting[] = [
  { name: 'background', kind: 'color' },
  { name: 'border', kind: 'pixels', otherwise: 0, most: 8 },
  { name: 'borderColor', kind: 'color' },
  { name: 'radius', kind: 'pixels', otherwise: 0, most: 48 },
]
const align: Setting = { name: 'align', kind: 'align' }
const words = (size: number, line: number): Setting[] => [
  { name: 'fontSize', kind: 'pixels', otherwise: size, most: 72, least: 9 },
  { name: 'lineHeight', kind: 'number', otherwise: line, most: 3, least: 1 },
  { name: 'color', kind: 'color' },
]

const media: Setting[] = [
  { name: 'alt', kind: 'words' },
  { name: 'href', kind: 'url' },
  align,
  { name: 'width', kind: 'pixels', most: 600, least: 16 },
  { name: 'radius', kind: 'pixels', otherwise: 0, most: 48 },
  ...space(),
]

const settings: Record<string, Setting[]> = {
  paragraph: [align, ...words(16, 1.56), ...frame, ...space()],
  heading: [align, ...words(28, 1.29), ...frame, ...space()],
  bulletList: [...words(16, 1.56), ...frame, ...space()],
  orderedList: [...words(16, 1.56), ...frame, ...space()],
  blockquote: [...words(16, 1.56), ...space()],
  button: [
    { name: 'text', kind: 'text' },
    { name: 'href', kind: 'url' },
    align,
    { name: 'color', kind: 'color' },
    { name: 'radius', kind: 'pixels', otherwise: 6, most: 48 },
    ...space(),
  ],
  image: media,
  logo: [align, ...space()],
  slot: space(0),
  video: media,
  columns: [...frame, ...space(0)],
  section: [...frame, ...space(0)],
  social: [{ name: 'links', kind: 'links' }, align, ...space()],
  rows: [{ name: 'list', kind: 'text' }, { name: 'columns', kind: 'columns' }, ...space()],
  divider: [
    { name: 'border', kind: 'pixels', otherwise: 1, most: 8, least: 1 },
    { name: 'borderColor', kind: 'color' },
    ...space(),
  ],
  spacer: [{ name: 'height', kind: 'pixels', otherwise: 24, most: 200, least: 4 }],
  footer: space(),
  html: [{ name: 'html', kind: 'code' }],
  liquid: [{ name: 'code', kind: 'code' }],
  variable: [
    { name: 'name', kind: 'variable' },
    { name: 'fallback', kind: 'text' },
  ],
  link: [{ name: 'href', kind: 'url' }],
}

export const settingsOf = (type: string): readonly Setting[] => settings[type] ?? []

interface SettingFieldProps {
  setting: Setting
  value: unknown
  fields: readonly string[]
  onChange: (value: unknown) => void
}

const isHalf: ReadonlySet<Kind> = new Set(['pixels', 'number', 'color'])

/** These have labels of their own. */
const isList: ReadonlySet<Kind> = new Set(['links', 'columns'])

export function SettingField({
  setting: { name, kind, ...limits },
  value,
  fields,
  onChange,
}: SettingFieldProps) {
  const id = useId()
  const text = value === null || value === undefined ? '' : String(value)
  const label = t.writing.members[name]
  const change = (given: string): void => onChange(given)
  if (isList.has(kind)) {
    const List = kind === 'links' ? SocialLinks : RowColumns
    return <List value={value} onChange={onChange} />
  }
  return (
    <div
      className={`min-w-0 space-y-1 ${isHalf.has(kind) ? '' : 'col-span-2'} ${name === 'paddingTop' ? 'col-start-1' : ''}`}
    >
      {kind === 'align' ? (
        <span className="block text-xs font-medium" aria-hidden>
          {label}
        </span>
      ) : (
        <label htmlFor={id} className="block truncate text-xs font-medium">
          {label}
        </label>
      )}
      {kind === 'align' && <AlignField value={text || 'left'} onChange={onChange} />}
      {kind === 'variable' && (
        <Select
          id={id}
          value={text}
          options={[...new Set([text, ...variablesOf(fields)])].map(each => [each, variableLabel(each)])}
          onChange={change}
        />
      )}
      {kind === 'color' && <ColorField id={id} value={text} onChange={onChange} />}
      {(kind === 'pixels' || kind === 'number') && (
        <NumberField id={id} value={text} kind={kind} {...limits} onChange={onChange} />
      )}
      {(kind === 'words' || kind === 'code') && (
        <textarea
          id={id}
          rows={kind === 'code' ? 8 : 2}
          className={`${inputClass} h-auto py-1.5 ${kind === 'code' ? 'font-mono text-xs' : ''}`}
          spellCheck={kind === 'words'}
          value={text}
          onChange={event => change(event.target.value)}
        />
      )}
      {(kind === 'text' || kind === 'url') && (
        <input
          id={id}
          className={inputClass}
          inputMode={kind === 'url' ? 'url' : undefined}
          value={text}
          onChange={event => change(event.target.value)}
        />
      )}
    </div>
  )
}

const icons = {
  left: <AlignLeft aria-hidden />,
  center: <AlignCenter aria-hidden />,
  right: <AlignRight aria-hidden />,
}

function AlignField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { aligns, members } = t.writing
  return (
    <Segmented
      label={members.align}
      className="w-full"
      segments={(['left', 'center', 'right'] as const).map(name => ({
        name: name as string,
        label: aligns[name],
        icon: icons[name],
      }))}
      value={value}
      onChange={onChange}
    />
  )
}

interface NumberFieldProps {
  id: string
  value: string
  kind: 'pixels' | 'number'
  otherwise?: string | number
  most?: number
  least?: number
  onChange: (value: number | null) => void
}

function NumberField({ id, value, kind, otherwise, most, least = 0, onChange }: NumberFieldProps) {
  return (
    <span className="relative block">
      <input
        id={id}
        type="number"
        className={`${inputClass} ${kind === 'pixels' ? 'pr-9' : ''}`}
        min={least}
        max={most}
        step={kind === 'pixels' ? 1 : 0.05}
        placeholder={otherwise === undefined ? t.writing.automatic : String(otherwise)}
        value={value}
        onChange={event => {
          const number = event.target.valueAsNumber
          onChange(Number.isNaN(number) ? null : number)
        }}
      />
      {kind === 'pixels' && (
        <span
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-xs text-quiet"
          aria-hidden
        >
          {t.writing.px}
        </span>
      )}
    </span>
  )
}
