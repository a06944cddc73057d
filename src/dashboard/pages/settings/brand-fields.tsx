// What a brand consists of: logo, colors, fonts, postal address, links, and the text of the footer.
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { contrastOf, readableShade } from '../../editor/mail/contrast'
import { fontStack, type MailFont, mailFonts } from '../../editor/mail/fonts'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { ColorField } from '../../ui/color-field'
import { inputClass, SelectField, TextArea, TextField } from '../../ui/field'
import { useFault } from '../../ui/form'
import { formatNumber } from '../../ui/format'
import { Card } from '../../ui/page'
import type { BrandDraft } from './brand'
import { LogoField } from './brand-logo'

export interface BrandFieldsProps {
  value: BrandDraft
  onChange: (value: BrandDraft) => void
}

const maxLinks = 10

export function BrandFields({ value, onChange }: BrandFieldsProps) {
  const set = (part: Partial<BrandDraft>): void => onChange({ ...value, ...part })
  return (
    <Card className="divide-y divide-line [&>div]:p-0">
      <div className="divide-y divide-line">
        <Part title={t.brand.names.logo}>
          <LogoField value={value} onChange={onChange} />
        </Part>
        <Part title={t.brand.colors}>
          <Colors value={value} onChange={onChange} />
        </Part>
        <Part title={t.brand.fonts}>
          <div className="grid gap-4 sm:grid-cols-2">
            {(['headingFont', 'font'] as const).map(name => (
              <SelectField
                key={name}
                name={name}
                label={t.writing.fontLabels[name]}
                value={value[name]}
                options={mailFonts.map(font => [font, t.writing.fonts[font]])}
                style={{ fontFamily: fontStack(value[name]) }}
                onChange={event => set({ [name]: event.target.value as MailFont })}
              />
            ))}
          </div>
        </Part>
        <Part title={t.brand.footer}>
          <TextField
            name="postalAddress"
            label={t.brand.names.postalAddress}
            hint={t.brand.addressHint}
            placeholder={t.brand.addressExample}
            maxLength={300}
            value={value.postalAddress ?? ''}
            onChange={event => set({ postalAddress: event.target.value || null })}
          />
          <TextArea
            name="footerText"
            label={t.brand.names.footerText}
            hint={t.brand.footerHint}
            placeholder={t.brand.footerExample}
            rows={2}
            maxLength={500}
            value={value.footerText ?? ''}
            onChange={event => set({ footerText: event.target.value || null })}
          />
        </Part>
        <Part title={t.brand.names.socialLinks}>
          <Links value={value} onChange={onChange} />
        </Part>
      </div>
    </Card>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="space-y-4 px-4 py-4 md:px-5">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

const colors = ['textColor', 'backgroundColor', 'paperColor', 'accentColor'] as const

function Colors({ value, onChange }: BrandFieldsProps) {
  const id = useId()
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        {colors.map(name => (
          <div key={name} className="min-w-0 space-y-1.5">
            <label htmlFor={`${id}-${name}`} className="block font-medium">
              {t.brand.names[name]}
            </label>
            <ColorField
              id={`${id}-${name}`}
              value={value[name]}
              otherwise={value[name]}
              onChange={color => color && onChange({ ...value, [name]: color })}
            />
          </div>
        ))}
      </div>
      {(['textColor', 'accentColor'] as const).map(name => (
        <Contrast key={name} name={name} value={value} onChange={onChange} />
      ))}
    </>
  )
}

/** Says which words can hardly be read, and the nearest color in which they can. */
function Contrast({ name, value, onChange }: BrandFieldsProps & { name: 'textColor' | 'accentColor' }) {
  const shade = readableShade(value.paperColor, value[name])
  if (!shade) return null
  const ratio = formatNumber(Math.floor(contrastOf(value.paperColor, value[name]) * 10) / 10)
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-warn-soft px-3 py-2"
    >
      <p className="min-w-0 flex-1 basis-48 text-warn">{t.brand.contrast(t.brand.names[name], ratio)}</p>
      <Button onClick={() => onChange({ ...value, [name]: shade })}>
        <span aria-hidden className="size-4 rounded-sm border border-edge" style={{ background: shade }} />
        {t.brand.takeColor(shade)}
      </Button>
    </div>
  )
}

function Links({ value, onChange }: BrandFieldsProps) {
  const { socialLinks: links } = value
  const setAll = (socialLinks: BrandDraft['socialLinks']): void => onChange({ ...value, socialLinks })
  return (
    <div className="space-y-3">
      {links.map((link, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a link has nothing else that stays while it is typed.
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[8rem_minmax(0,1fr)_auto]"
        >
          <LinkField
            name={`socialLinks.${at}.name`}
            label={t.writing.linkName(at + 1)}
            value={link.name}
            maxLength={40}
            onChange={name => setAll(links.map((each, index) => (index === at ? { ...each, name } : each)))}
          />
          <div className="max-sm:order-last max-sm:col-span-2">
            <LinkField
              name={`socialLinks.${at}.url`}
              label={t.writing.linkAddress(at + 1)}
              value={link.url}
              maxLength={500}
              onChange={url => setAll(links.map((each, index) => (index === at ? { ...each, url } : each)))}
            />
          </div>
          <IconButton
            label={t.brand.removeLink(link.name)}
            variant="plain"
            onClick={() => setAll(links.filter((_, index) => index !== at))}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      {links.length < maxLinks && (
        <Button onClick={() => setAll([...links, { name: '', url: 'https://' }])}>
          <Plus aria-hidden /> {t.brand.addLink}
        </Button>
      )}
    </div>
  )
}

interface LinkFieldProps {
  name: string
  label: string
  value: string
  maxLength: number
  onChange: (value: string) => void
}

function LinkField({ name, label, value, maxLength, onChange }: LinkFieldProps) {
  const id = useId()
  const fault = useFault(name)
  return (
    <>
      <input
        name={name}
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? id : undefined}
        className={inputClass}
        required
        maxLength={maxLength}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
      {fault && (
        <p id={id} className="text-bad">
          {fault}
        </p>
      )}
    </>
  )
}
