// A form as visitors see it, while it is being written. It is a drawing: nothing in it can be filled in.
import type { CSSProperties } from 'react'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Card } from '../../ui/page'
import type { FormDraft, SignUpField } from './data'

export function FormPreview({ draft: { look, fields } }: { draft: FormDraft }) {
  const { preview } = t.forms
  const project = useProject()
  return (
    <Card title={preview.title}>
      <div
        className="space-y-3 rounded-lg border border-line bg-sunken p-4"
        role="img"
        aria-label={preview.title}
      >
        <p className="wrap-anywhere text-lg font-semibold">{look.heading || preview.heading}</p>
        {look.text && <p className="wrap-anywhere whitespace-pre-line">{look.text}</p>}
        <Row label={preview.email} />
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no names of their own while they are written.
          <Drawn key={at} field={field} />
        ))}
        <p className="wrap-anywhere text-xs text-quiet">{look.consent || preview.consent(project.name)}</p>
        <p
          className="wrap-anywhere rounded-md bg-strong px-3 py-2 text-center font-semibold text-on-strong"
          style={colours(look.accent)}
        >
          {look.button || preview.button}
        </p>
      </div>
    </Card>
  )
}

function Drawn({ field: { label, type, required } }: { field: SignUpField }) {
  const words = required || type === 'checkbox' ? label : `${label} (${t.words.optional})`
  if (type !== 'checkbox') return <Row label={words} mark={type === 'choice' ? '▾' : ''} />
  return (
    <p className="flex items-center gap-2">
      <span className="size-4 shrink-0 rounded border border-edge bg-sheet" />
      <span className="wrap-anywhere">{words}</span>
    </p>
  )
}

function Row({ label, mark = '' }: { label: string; mark?: string }) {
  return (
    <div className="space-y-1">
      <p className="wrap-anywhere text-sm">{label}</p>
      <p className={classes('h-9 rounded-md border border-edge bg-sheet px-3 py-1.5', mark && 'text-right')}>
        {mark}
      </p>
    </div>
  )
}

/** Black or white on it, as the server decides. */
function colours(accent: string): CSSProperties | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return undefined
  const share = (at: number): number => {
    const value = Number.parseInt(accent.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const luminance = 0.2126 * share(1) + 0.7152 * share(3) + 0.0722 * share(5)
  return { background: accent, color: luminance > 0.179 ? '#000' : '#fff' }
}
